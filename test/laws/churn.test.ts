/**
 * Long random lives of an assigner: probes come and go, nodes are replaced, specs change, it
 * restarts.
 */
import assert from 'node:assert/strict';
import type { Heard } from '../../core/event.ts';
import type { EgressIP, Fact, Node } from '../../core/fact.ts';
import { seeded } from '../every.ts';
import { Bench, egressIP, node, on, sees } from './assigner-bench.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 400);
const STEPS = 60;
const names = ['a', 'b', 'c', 'd', 'e'];
const objects = ['w', 'x', 'y', 'z'];
const addresses = [
  '10.0.0.100',
  '10.0.0.101',
  '10.0.0.102',
  '10.1.0.100',
  '10.1.0.101',
  '10.9.9.9',
  'garbage',
];

/** What the test knows of the world; the judge below reads nothing else. */
interface Truth {
  readonly nodes: Map<string, Node>;
  readonly answers: Map<string, boolean>;
  readonly egressIPs: Map<string, EgressIP>;
}

type Draw = ReturnType<typeof seeded>;

const octet = (name: string): number => 1 + names.indexOf(name);

function randomFact({ one, next }: Draw, truth: Truth, step: number): Fact {
  const roll = next();
  const name = one(names);
  if (roll < 0.1) return { kind: 'NodeGone', name, uid: truth.nodes.get(name)?.uid ?? '' };
  if (roll < 0.35) {
    const hosts = one([[], [`10.1.0.${octet(name)}/24`], ['10.0.0.101/32']]);
    const labels = { tier: one(['p', 'q']) };
    const known = truth.nodes.get(name)?.uid;
    const uid = known !== undefined && next() < 0.8 ? known : `uid-${name}-${step}-${roll}`;
    return sees(node(name, octet(name), { uid, labels, ready: next() < 0.8, hosts }));
  }
  if (roll < 0.6) {
    const known = truth.nodes.get(name);
    if (next() < 0.2 || known === undefined) return { kind: 'ReachabilityForgotten', name };
    const reachable = next() < 0.8;
    return { kind: 'ReachabilitySeen', name, uid: known.uid, reachable, because: 'probe' };
  }
  const object = one(objects);
  if (roll < 0.65)
    return { kind: 'EgressIPGone', name: object, uid: truth.egressIPs.get(object)?.uid ?? '' };
  const wanted = [one(addresses), one(addresses), one(addresses)].slice(0, one([1, 2, 3]));
  const nodeSelector = one([on({}), on({ tier: 'p' }), on({ tier: 'q' })]);
  const known = truth.egressIPs.get(object)?.uid;
  const uid = known !== undefined && next() < 0.8 ? known : `uid-${object}-${step}-${roll}`;
  return egressIP(object, wanted, { uid, nodeSelector, createdMs: objects.indexOf(object) });
}

function learn(truth: Truth, fact: Fact): void {
  switch (fact.kind) {
    case 'NodeSeen':
      truth.nodes.set(fact.node.name, fact.node);
      break;
    case 'NodeGone':
      truth.nodes.delete(fact.name);
      break;
    case 'ReachabilitySeen':
      truth.answers.set(fact.name, fact.reachable);
      break;
    case 'ReachabilityForgotten':
      truth.answers.delete(fact.name);
      break;
    case 'EgressIPSeen':
      truth.egressIPs.set(fact.egressIP.name, fact.egressIP);
      break;
    case 'EgressIPGone':
      truth.egressIPs.delete(fact.name);
      break;
    default:
      break;
  }
}

const cidrsOf = (seen: Node): string[] =>
  JSON.parse(seen.annotations['k8s.ovn.org/host-cidrs'] ?? '[]');
const prefix = (address: string): string => address.slice(0, address.lastIndexOf('.'));

function mayHost(truth: Truth, seen: Node | undefined, wanted: EgressIP, address: string): boolean {
  if (seen === undefined || !seen.ready || truth.answers.get(seen.name) !== true) return false;
  const matches = Object.entries(wanted.nodeSelector?.matchLabels ?? {}).every(
    ([k, v]) => seen.labels[k] === v,
  );
  const near = cidrsOf(seen).some(
    (cidr) => cidr.endsWith('/24') && prefix(cidr) === prefix(address),
  );
  return matches && near;
}

/** Once every node has answered, nothing is held any more and all must be as good as it can be. */
function judgeAtRest(bench: Bench, truth: Truth, seed: string): void {
  const owners = new Map<string, string>();
  for (const [name, { placements }] of bench.decided)
    for (const { address } of placements) {
      assert.ok(!owners.has(address), `${seed}: ${address} is in two places`);
      owners.set(address, name);
    }
  for (const [name, wanted] of truth.egressIPs) {
    const decided = bench.decided.get(name);
    assert.equal(decided?.uid, wanted.uid, `${seed}: ${name} is decided`);
    const placed = decided?.placements ?? [];
    assert.equal(new Set(placed.map((p) => p.node)).size, placed.length, `${seed}: siblings apart`);
    for (const p of placed)
      assert.ok(
        mayHost(truth, truth.nodes.get(p.node), wanted, p.address),
        `${seed}: ${p.address} on ${p.node}`,
      );
    for (const address of new Set(wanted.addresses)) {
      if (owners.has(address)) continue;
      const conflict = [...truth.nodes.values()].some((one) =>
        cidrsOf(one).includes(`${address}/32`),
      );
      const open = [...truth.nodes.values()].filter(
        (one) => mayHost(truth, one, wanted, address) && !placed.some((p) => p.node === one.name),
      );
      assert.ok(
        conflict || open.length === 0,
        `${seed}: ${address} of ${name} could be on ${open.map((o) => o.name).join()}`,
      );
    }
  }
}

/** In the middle of anything: no address twice, no siblings together. */
function judgeAnytime(bench: Bench, seed: string): void {
  const all = [...bench.decided.values()].flatMap(({ placements }) => placements);
  assert.equal(
    new Set(all.map(({ address }) => address)).size,
    all.length,
    `${seed}: an address twice`,
  );
  for (const { placements } of bench.decided.values())
    assert.equal(
      new Set(placements.map((p) => p.node)).size,
      placements.length,
      `${seed}: siblings together`,
    );
}

function life(seed: number): { moves: number } {
  const draw = seeded(seed);
  const truth: Truth = { nodes: new Map(), answers: new Map(), egressIPs: new Map() };
  const bench = new Bench('grpc');
  for (let step = 0; step < STEPS; step++) {
    const batch = Array.from({ length: 1 + Math.floor(draw.next() * 4) }, () =>
      randomFact(draw, truth, step),
    );
    for (const fact of batch) learn(truth, fact);
    bench.hear(batch);
    judgeAnytime(bench, `seed ${seed} step ${step}`);
    if (draw.next() < 0.1) restart(bench, draw, `seed ${seed} step ${step}`);
    if (draw.next() < 0.3) settle(bench, truth, draw, `seed ${seed} step ${step}`);
  }
  return { moves: bench.said.length };
}

/** The streams are heard in any order, each in its own. */
function restart(bench: Bench, draw: Draw, seed: string): void {
  const before = [...bench.decided.values()].map(({ name, placements, refusals }) => ({
    name,
    placements,
    refusals,
  }));
  const first = draw.one(['watcher', 'assigner']);
  const order = (log: readonly Heard[]): Heard[] => [
    ...log.filter(({ stream }) => stream === first),
    ...log.filter(({ stream }) => stream !== first),
  ];
  assert.deepEqual(
    bench.replay(order),
    [],
    `${seed}: a restart decides nothing, it was ${JSON.stringify(before)}`,
  );
}

function settle(bench: Bench, truth: Truth, draw: Draw, seed: string): void {
  const answers = [...truth.nodes.values()]
    .filter(({ name }) => !truth.answers.has(name))
    .map(
      ({ name, uid }): Fact => ({
        kind: 'ReachabilitySeen',
        name,
        uid,
        reachable: draw.next() < 0.9,
        because: 'probe',
      }),
    );
  for (const fact of answers) learn(truth, fact);
  bench.hear(answers);
  judgeAtRest(bench, truth, seed);
}

describe('the assigner, through long random lives', function () {
  this.timeout(240_000);

  it('never doubles an address, survives restarts, leaves nothing out that could be placed', () => {
    let decisions = 0;
    for (let seed = 1; seed <= SEEDS; seed++) decisions += life(seed).moves;
    console.log(`      ${SEEDS} lives of ${STEPS} steps, ${decisions} decisions`);
    assert.ok(decisions > SEEDS * 10, 'the lives are eventful');
  });
});
