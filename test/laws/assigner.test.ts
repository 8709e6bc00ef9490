/** What must hold of the assigner's decisions in every small world, whatever happened before. */
import assert from 'node:assert/strict';
import type { Decision } from '../../core/decision.ts';
import type { EgressIP, Fact, Node } from '../../core/fact.ts';
import { type Choose, every } from '../every.ts';
import { ASSIGNABLE, Bench, egressIP, node, on, sees } from './assigner-bench.ts';

/** The specification, said anew: it borrows nothing from the code that it judges. */
interface Seen {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly egressIPs: ReadonlyMap<string, EgressIP>;
}

const lastOctet = (text: string): string => text.slice(0, text.lastIndexOf('.'));
const hostsOf = (seen: Node | undefined): string[] =>
  JSON.parse(seen?.annotations['k8s.ovn.org/host-cidrs'] ?? '[]').map(
    (cidr: string) => cidr.split('/')[0],
  );

/** All networks of these worlds are /24, so three octets name one. */
function hosts(seen: Node | undefined, wanted: EgressIP, address: string): boolean {
  if (seen === undefined || !seen.ready) return false;
  const labels = wanted.nodeSelector?.matchLabels ?? {};
  const chosen =
    wanted.nodeSelector === undefined
      ? Object.hasOwn(seen.labels, ASSIGNABLE)
      : Object.entries(labels).every(([key, value]) => seen.labels[key] === value);
  return chosen && hostsOf(seen).some((host) => lastOctet(host) === lastOctet(address));
}

function conflicts(seen: Seen, address: string): boolean {
  return [...seen.nodes.values()].some((one) => hostsOf(one).includes(address));
}

/** The most addresses of one EgressIP that nodes can be found for, by trying everything. */
function most(
  nodes: readonly Node[],
  wanted: EgressIP,
  addresses: readonly string[],
  used: ReadonlySet<string>,
): number {
  const [first, ...rest] = addresses;
  if (first === undefined) return 0;
  let best = most(nodes, wanted, rest, used);
  for (const one of nodes)
    if (!used.has(one.name) && hosts(one, wanted, first))
      best = Math.max(best, 1 + most(nodes, wanted, rest, new Set([...used, one.name])));
  return best;
}

function learn(
  seen: { nodes: Map<string, Node>; egressIPs: Map<string, EgressIP> },
  fact: Fact,
): void {
  if (fact.kind === 'NodeSeen') seen.nodes.set(fact.node.name, fact.node);
  if (fact.kind === 'NodeGone') seen.nodes.delete(fact.name);
  if (fact.kind === 'EgressIPSeen') seen.egressIPs.set(fact.egressIP.name, fact.egressIP);
  if (fact.kind === 'EgressIPGone') seen.egressIPs.delete(fact.name);
}

/** Everything that must hold of decisions at rest. */
function check(bench: Bench, seen: Seen): void {
  const decided = bench.decided;
  assert.deepEqual(
    [...decided.keys()].sort(),
    [...seen.egressIPs.keys()].sort(),
    'a decision for each EgressIP',
  );
  const owners = new Map<string, string>();
  for (const [name, { placements }] of decided) {
    const wanted = seen.egressIPs.get(name)!;
    assert.equal(new Set(placements.map((p) => p.node)).size, placements.length, 'siblings apart');
    for (const { address, node: where } of placements) {
      assert.ok(!owners.has(address), `${address} is in ${owners.get(address)} and in ${name}`);
      owners.set(address, name);
      assert.ok(wanted.addresses.includes(address), `${address} is in the spec`);
      assert.ok(hosts(seen.nodes.get(where), wanted, address), `${where} may host ${address}`);
    }
  }
  for (const [name, { placements, refusals }] of decided) {
    const wanted = seen.egressIPs.get(name)!;
    const told = [...placements, ...refusals].map(({ address }) => address);
    assert.deepEqual(
      told.sort(),
      [...wanted.addresses].sort(),
      'each address has a node or a reason',
    );
    checkMaximum(bench, seen, owners, wanted);
  }
}

/** Nothing is left out that could have a node without moving an address that has a good one. */
function checkMaximum(
  bench: Bench,
  seen: Seen,
  owners: ReadonlyMap<string, string>,
  wanted: EgressIP,
): void {
  const placements = bench.decided.get(wanted.name)!.placements;
  const used = new Set(placements.map((p) => p.node));
  const open = wanted.addresses.filter(
    (address) =>
      !placements.some((p) => p.address === address) &&
      !owners.has(address) &&
      !conflicts(seen, address),
  );
  const could = most([...seen.nodes.values()], wanted, open, used);
  assert.equal(could, 0, `${open.join()} of ${wanted.name} could have had a node`);
}

/** A good home never moves; what moved had an objection against where it was. */
function checkStays(before: Bench['decided'], seen: Seen, after: Bench['decided']): void {
  for (const [name, { placements }] of before) {
    const wanted = seen.egressIPs.get(name);
    if (wanted === undefined) continue;
    for (const { address, node: where } of placements) {
      if (!wanted.addresses.includes(address) || !hosts(seen.nodes.get(where), wanted, address))
        continue;
      const others = [...seen.nodes.values()].filter((one) => one.name !== where);
      if (others.some((one) => hostsOf(one).includes(address))) continue;
      const now: { node: string } | undefined = after
        .get(name)
        ?.placements.find((p) => p.address === address);
      assert.equal(now?.node, where, `${address} of ${name} had a good home`);
    }
  }
}

/** Told in order, no beginning of a turn has an address in two places or siblings on one node. */
function checkPrefixes(before: Bench['decided'], turn: readonly Decision[]): void {
  const state = new Map([...before].map(([name, decided]) => [name, decided.placements]));
  for (const decision of turn) {
    if (decision.kind === 'EgressIPForgotten') state.delete(decision.name);
    if (decision.kind === 'EgressIPDecided') state.set(decision.name, decision.placements);
    const all = [...state.values()].flat().map(({ address }) => address);
    assert.equal(new Set(all).size, all.length, 'an address in two places in the middle of a turn');
  }
}

const nets = { none: [], second: ['10.1.0.%/24'] };

function chooseNode(choose: Choose, name: string, host: number): Fact {
  const state = choose.one(['staging', 'production', 'not ready', 'gone'] as const);
  if (state === 'gone') return { kind: 'NodeGone', name, uid: `uid-${name}` };
  const ready = state !== 'not ready';
  const hostsMore = nets[choose.one(['none', 'second'] as const)].map((text) =>
    text.replace('%', String(host)),
  );
  return sees(
    node(name, host, { ready, labels: { tier: ready ? state : 'staging' }, hosts: hostsMore }),
  );
}

function chooseEgressIP(choose: Choose, name: string, choices: string[][]): Fact {
  const nodeSelector = choose.one([on({}), on({ tier: 'staging' })]);
  return egressIP(name, choose.one(choices), { nodeSelector, createdMs: name === 'x' ? 1 : 2 });
}

function play(
  bench: Bench,
  seen: { nodes: Map<string, Node>; egressIPs: Map<string, EgressIP> },
  facts: readonly Fact[],
): void {
  const before = bench.decided;
  for (const fact of facts) learn(seen, fact);
  const turn = bench.hear(facts);
  checkPrefixes(before, turn);
  check(bench, seen);
  checkStays(before, seen, bench.decided);
}

describe('the assigner, in every small world', function () {
  this.timeout(240_000);

  it('keeps what is good, places all that can be placed, and says why for the rest', () => {
    let worlds = 0;
    worlds += every((choose) => {
      const bench = new Bench();
      const seen = { nodes: new Map<string, Node>(), egressIPs: new Map<string, EgressIP>() };
      const opening = [
        chooseNode(choose, 'a', 1),
        chooseNode(choose, 'b', 2),
        chooseEgressIP(choose, 'x', [
          ['10.0.0.100', '10.1.0.100'],
          ['10.0.0.100', '10.0.0.101', '10.1.0.1'],
        ]),
        egressIP('y', ['10.0.0.101'], { nodeSelector: on({}), createdMs: 2 }),
      ];
      play(bench, seen, opening);
      const reversed = new Bench();
      reversed.hear([...opening].reverse());
      assert.deepEqual(levels(reversed), levels(bench), 'the order of hearing does not show');
      const change = choose.one(['a', 'x', 'swap'] as const);
      if (change === 'a') play(bench, seen, [chooseNode(choose, 'a', 1)]);
      if (change === 'x')
        play(bench, seen, [
          chooseEgressIP(choose, 'x', [['10.0.0.101'], ['10.0.0.101', '10.1.0.100']]),
        ]);
      if (change === 'swap')
        play(bench, seen, [
          egressIP('x', ['10.0.0.101'], { nodeSelector: on({}), createdMs: 1 }),
          egressIP('y', ['10.0.0.100'], { nodeSelector: on({}), createdMs: 2 }),
        ]);
      const level = levels(bench);
      assert.deepEqual(
        bench.replay((log) => log),
        [],
        'a restart decides nothing',
      );
      assert.deepEqual(
        bench.replay((log) => log.toReversed()),
        [],
        'in whatever order the streams are heard',
      );
      assert.deepEqual(levels(bench), level);
      seen.egressIPs.forEach((_, name) =>
        play(bench, seen, [{ kind: 'EgressIPGone', name, uid: `uid-${name}` }]),
      );
    });
    console.log(`      ${worlds} worlds`);
  });
});

/** Decisions without their news. */
function levels(bench: Bench): unknown {
  return [...bench.decided]
    .map(([name, { placements, refusals }]) => ({ name, placements, refusals }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
