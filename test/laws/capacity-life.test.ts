/** Long random lives on a cloud: claims and nodes come, fail and go; the assigner restarts. */
import assert from 'node:assert/strict';
import type { CloudClaim, EgressIP, Fact, Node } from '../../core/fact.ts';
import { seeded } from '../every.ts';
import { egressIP, on, sees } from './assigner-bench.ts';
import { claimSeen, CloudBench, cloudNode, type Room } from './capacity-bench.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 300);
const STEPS = 100;
const PATIENCE_MS = 5_000;
const REST_MS = 15 * 60_000;

const names = ['a', 'b', 'c', 'd'];
const pools = [on({}), on({ pool: 'p' }), on({ pool: 'q' })];
const wishes: Readonly<Record<string, readonly string[]>> = {
  w: ['10.0.0.100', 'fd00::100'],
  x: ['10.0.0.101', '10.0.0.102'],
  y: ['10.0.0.103'],
  z: ['10.0.0.104', 'fd00::104', '10.0.0.105'],
};

type Draw = ReturnType<typeof seeded>;

const isSix = (address: string): boolean => address.includes(':');
const ownerOf = (address: string): string =>
  Object.keys(wishes).find((name) => wishes[name]?.includes(address)) ?? '';

function roomOf(node: Node): Required<Room> {
  const text = node.annotations['cloud.network.openshift.io/egress-ipconfig'] ?? '';
  const [{ capacity }] = JSON.parse(text) as [{ capacity: Room }];
  return { ip: Infinity, ipv4: Infinity, ipv6: Infinity, ...capacity };
}

/** A life: what the test knows of the world, and the assigner in it. */
class Life {
  readonly draw: Draw;
  readonly bench = new CloudBench();
  readonly nodes = new Map<string, Node>();
  readonly egressIPs = new Map<string, EgressIP>();
  readonly claims = new Map<string, CloudClaim>();
  /** `address node` → until when it must not be chosen. */
  readonly rests = new Map<string, number>();
  decisions = 0;
  moves = 0;

  constructor(seed: number) {
    this.draw = seeded(seed);
  }

  learn(fact: Fact): void {
    if (fact.kind === 'NodeSeen') this.nodes.set(fact.node.name, fact.node);
    if (fact.kind === 'NodeGone') this.nodes.delete(fact.name);
    if (fact.kind === 'EgressIPSeen') this.egressIPs.set(fact.egressIP.name, fact.egressIP);
    if (fact.kind !== 'EgressIPGone') return;
    this.egressIPs.delete(fact.name);
    for (const key of this.rests.keys())
      if (wishes[fact.name]?.includes(key.split(' ')[0] ?? '')) this.rests.delete(key);
  }

  suits(address: string, node: string): boolean {
    const wanted = this.egressIPs.get(ownerOf(address));
    const seen = this.nodes.get(node);
    if (wanted === undefined || seen === undefined || !seen.ready) return false;
    const labels = Object.entries(wanted.nodeSelector?.matchLabels ?? {});
    return wanted.addresses.includes(address) && labels.every(([k, v]) => seen.labels[k] === v);
  }

  /** Since when the cloud has failed to have the address on the node, where it is to be. */
  failedMs(address: string, node: string): number | undefined {
    const claim = this.claims.get(address);
    if (claim === undefined || claim.deleting || claim.assigned !== 'False') return undefined;
    return claim.node === node && claim.statusNode === node ? claim.sinceMs : undefined;
  }

  /** Everything that takes room on a node: what is decided, and what the cloud has or releases. */
  taken(
    node: string,
    homes: ReadonlyMap<string, string>,
  ): { readonly 4: number; readonly 6: number } {
    const all = new Set([...homes].filter(([, at]) => at === node).map(([address]) => address));
    for (const [address, claim] of this.claims)
      if (claim.node === node || claim.statusNode === node) all.add(address);
    const six = [...all].filter(isSix).length;
    return { 4: all.size - six, 6: six };
  }
}

function randomNode(draw: Draw, name: string): Node {
  const some = [1, 2, 3, 3, 0];
  const families = { ipv4: draw.one(some), ipv6: draw.one(some) };
  const capacity = draw.one([{ ip: draw.one(some) }, families]);
  const labels = { pool: draw.one(['p', 'q']) };
  return cloudNode(name, capacity, { labels, ready: draw.next() < 0.8 });
}

function randomFact(life: Life): Fact | undefined {
  const { draw } = life;
  const roll = draw.next();
  const name = draw.one(names);
  if (roll < 0.03) return { kind: 'NodeGone', name, uid: `uid-${name}` };
  if (roll < 0.15) return sees(randomNode(draw, name));
  const object = draw.one(Object.keys(wishes));
  if (roll < 0.17) return { kind: 'EgressIPGone', name: object, uid: `uid-${object}` };
  if (roll < 0.25) {
    const addresses = (wishes[object] ?? []).filter(() => draw.next() < 0.8);
    return egressIP(object, addresses, { nodeSelector: draw.one(pools) });
  }
  return claimStep(life, draw.one(Object.values(wishes).flat()));
}

/** One step of the publisher or of the cloud controller on one claim (`spec/egressip.md` 2.2). */
function claimStep(life: Life, address: string): Fact | undefined {
  const wanted = life.bench.homes.get(address);
  const claim = life.claims.get(address);
  const tell = (more: Partial<CloudClaim>): Fact => {
    const fact = claimSeen(address, { ...claim, owner: ownerOf(address), ...more });
    if (fact.kind === 'CloudClaimSeen') life.claims.set(address, fact.claim);
    return fact;
  };
  const sinceMs = life.bench.nowMs;
  if (claim === undefined) return wanted === undefined ? undefined : tell({ node: wanted });
  if (claim.deleting) {
    life.claims.delete(address);
    return { kind: 'CloudClaimGone', name: claim.name, uid: claim.uid };
  }
  if (wanted === undefined) return tell({ deleting: true });
  if (claim.node !== wanted) return tell({ node: wanted });
  if (claim.statusNode !== '' && claim.statusNode !== wanted)
    return tell({ statusNode: '', assigned: 'True', sinceMs });
  if (claim.assigned === 'Unknown')
    return tell({ assigned: life.draw.next() < 0.6 ? 'True' : 'False', sinceMs });
  const stays = claim.assigned === 'True' || (claim.assigned === 'False' && life.draw.next() < 0.9);
  if (claim.statusNode === wanted && stays) return undefined;
  return tell({ statusNode: wanted, assigned: 'Unknown', sinceMs });
}

/** What every turn must keep to, whatever happened; `before` = the homes before it. */
function judgeTurn(life: Life, before: ReadonlyMap<string, string>, at: string): void {
  const { bench } = life;
  const now = bench.homes;
  for (const [address, node] of before) giveUp(life, address, node);
  for (const [address, node] of now) {
    assert.ok(life.suits(address, node), `${at}: ${address} on ${node}`);
    const old = before.get(address);
    if (old === node) continue;
    judgeGain(life, address, node, at);
    if (old === undefined) continue;
    life.moves++;
    judgeMove(life, address, old, at);
  }
  for (const { name, placements } of bench.decided.values()) {
    const nodes = placements.map(({ node }) => node);
    assert.equal(new Set(nodes).size, nodes.length, `${at}: siblings of ${name} together`);
  }
}

function judgeGain(life: Life, address: string, node: string, at: string): void {
  const seen = life.nodes.get(node);
  assert.ok(seen !== undefined);
  // What the cloud has there, or is to have, is adopted: it takes no more room than it did.
  if (life.claims.get(address)?.node === node) return;
  const { ip, ipv4, ipv6 } = roomOf(seen);
  const taken = life.taken(node, life.bench.homes);
  assert.ok(taken[4] + taken[6] <= ip, `${at}: ${address} is one too many on ${node}`);
  const family = isSix(address) ? taken[6] <= ipv6 : taken[4] <= ipv4;
  assert.ok(family, `${at}: ${address} is one too many of its family on ${node}`);
  const untilMs = life.rests.get(`${address} ${node}`) ?? 0;
  assert.ok(untilMs <= life.bench.nowMs, `${at}: ${node} still rests from ${address}`);
}

/** Only what is not good any more moves, or what has failed for five seconds. */
function judgeMove(life: Life, address: string, from: string, at: string): void {
  if (!life.suits(address, from)) return;
  const sinceMs = life.failedMs(address, from);
  assert.ok(sinceMs !== undefined, `${at}: ${address} had a good home on ${from}`);
  assert.ok(life.bench.nowMs >= sinceMs + PATIENCE_MS, `${at}: ${from} was given up too early`);
}

/** From the moment when patience with a node is over it rests, even if the address has to stay. */
function giveUp(life: Life, address: string, node: string): void {
  const { nowMs } = life.bench;
  const key = `${address} ${node}`;
  const sinceMs = life.failedMs(address, node);
  if (sinceMs === undefined || nowMs < sinceMs + PATIENCE_MS) return;
  if ((life.rests.get(key) ?? 0) <= nowMs) life.rests.set(key, nowMs + REST_MS);
}

/** At rest, no address is without a node that could have one without moving another. */
function judgeRest(life: Life, at: string): void {
  const { bench, nodes } = life;
  for (const [name, { addresses }] of life.egressIPs)
    for (const address of addresses) {
      if (bench.homes.has(address)) continue;
      const siblings = addresses.map((other) => bench.homes.get(other));
      const open = [...nodes.values()].filter((node) => {
        if (!life.suits(address, node.name) || siblings.includes(node.name)) return false;
        if (isResting(life, name, address, node.name)) return false;
        const homes = new Map(bench.homes).set(address, node.name);
        const taken = life.taken(node.name, homes);
        const { ip, ipv4, ipv6 } = roomOf(node);
        const own = isSix(address) ? taken[6] <= ipv6 : taken[4] <= ipv4;
        return own && taken[4] + taken[6] <= ip;
      });
      const where = open.map((node) => node.name).join();
      assert.equal(where, '', `${at}: ${address} of ${name} could be on ${where}`);
    }
}

/** As decided: rests are on the log, with what they are for. */
function isResting(life: Life, name: string, address: string, node: string): boolean {
  const rests = life.bench.world.claims.get(name)?.rests ?? [];
  return rests.some(
    (one) => one.address === address && one.node === node && one.untilMs > life.bench.nowMs,
  );
}

function live(seed: number): Life {
  const life = new Life(seed);
  const { bench, draw } = life;
  for (let step = 0; step < STEPS; step++) {
    const at = `seed ${seed} step ${step}`;
    if (draw.next() < 0.2) life.decisions += advance(life, at);
    const fact = randomFact(life);
    if (fact !== undefined) {
      const homes = bench.homes;
      life.learn(fact);
      life.decisions += bench.hear([fact]).length;
      judgeTurn(life, homes, at);
    }
    judgeRest(life, at);
    if (draw.next() < 0.05) {
      const homes = bench.homes;
      assert.deepEqual(bench.restart(draw.one(['watcher', 'assigner'])), [], `${at}: a restart`);
      assert.deepEqual(bench.homes, homes);
    }
  }
  return life;
}

/** Some seconds, or long enough for a node to have rested; each waking is judged by itself. */
function advance(life: Life, at: string): number {
  const ms = life.draw.one([1_000, 6_000, 16 * 60_000]);
  const endMs = life.bench.nowMs + ms;
  let decisions = 0;
  while (life.bench.nowMs < endMs) {
    const before = life.bench.homes;
    decisions += life.bench.advance(
      Math.min(endMs, life.bench.nextWakeMs) - life.bench.nowMs,
    ).length;
    judgeTurn(life, before, at);
  }
  return decisions;
}

describe('the assigner on a cloud, through long random lives', function () {
  this.timeout(240_000);

  it('keeps to room, rests and good homes, and leaves nothing out once room is free', () => {
    const total = { decisions: 0, moves: 0, rests: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { decisions, moves, rests } = live(seed);
      total.decisions += decisions;
      total.moves += moves;
      total.rests += rests.size;
    }
    const { decisions, moves, rests } = total;
    console.log(
      `      ${SEEDS} lives of ${STEPS} steps: ${decisions} decisions, ${moves} moves, ` +
        `${rests} nodes given up after a failure`,
    );
    assert.ok(
      decisions > 15 * SEEDS && moves > SEEDS && 4 * rests > SEEDS,
      'the lives are eventful',
    );
  });
});
