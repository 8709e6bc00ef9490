/** What must hold of the assigner on a cloud, where nodes have room for so many addresses only. */
import assert from 'node:assert/strict';
import type { EgressIP, Fact, Node } from '../../core/fact.ts';
import { seeded } from '../every.ts';
import { egressIP, on, sees } from './assigner-bench.ts';
import { CloudBench, cloudNode, type Room } from './capacity-bench.ts';

const WORLDS = Number(process.env['SEEDS'] ?? 1_500);

type Draw = ReturnType<typeof seeded>;

const nodeNames = ['a', 'b', 'c', 'd'];
const isSix = (address: string): boolean => address.includes(':');

function roomOf(node: Node): Required<Room> {
  const [{ capacity }] = JSON.parse(
    node.annotations['cloud.network.openshift.io/egress-ipconfig'] ?? '',
  ) as [{ capacity: Room }];
  return { ip: Infinity, ipv4: Infinity, ipv6: Infinity, ...capacity };
}

/** An address that looks for a node: whose it is, and which nodes its EgressIP chooses. */
interface Seeker {
  readonly owner: string;
  readonly address: string;
  readonly nodes: readonly Node[];
}

/** The specification, said anew by trying everything: it borrows nothing from what it judges. */
class Force {
  /** What is taken on each node, by family, and which EgressIPs are on it. */
  readonly #taken = new Map<string, { 4: number; 6: number; owners: Set<string> }>();

  take(node: string, address: string, owner: string): void {
    const taken = this.on(node);
    taken[isSix(address) ? 6 : 4]++;
    taken.owners.add(owner);
  }

  on(node: string): { 4: number; 6: number; owners: Set<string> } {
    const known = this.#taken.get(node) ?? { 4: 0, 6: 0, owners: new Set<string>() };
    this.#taken.set(node, known);
    return known;
  }

  fits(node: Node, { owner, address }: Seeker): boolean {
    const taken = this.on(node.name);
    const { ip, ipv4, ipv6 } = roomOf(node);
    const own = isSix(address) ? taken[6] < ipv6 : taken[4] < ipv4;
    return own && taken[4] + taken[6] < ip && !taken.owners.has(owner);
  }

  /** The most seekers that nodes can be found for. */
  most(seekers: readonly Seeker[], from = 0, enough = seekers.length): number {
    const seeker = seekers[from];
    if (seeker === undefined || enough === 0) return 0;
    const family = isSix(seeker.address) ? 6 : 4;
    let best = 0;
    for (const node of seeker.nodes) {
      if (best === Math.min(enough, seekers.length - from)) return best;
      if (!this.fits(node, seeker)) continue;
      const taken = this.on(node.name);
      taken[family]++;
      taken.owners.add(seeker.owner);
      best = Math.max(best, 1 + this.most(seekers, from + 1, enough - 1));
      taken[family]--;
      taken.owners.delete(seeker.owner);
    }
    if (best === Math.min(enough, seekers.length - from)) return best;
    return Math.max(best, this.most(seekers, from + 1, enough));
  }
}

const selects = (wanted: EgressIP, node: Node): boolean =>
  node.ready &&
  Object.entries(wanted.nodeSelector?.matchLabels ?? {}).every(([k, v]) => node.labels[k] === v);

/** One family; two that share the room, as on Azure, GCP and OpenStack; two apart, as on AWS. */
type Kind = 'one family' | 'shared room' | 'room by family';

function randomRoom(draw: Draw, kind: Kind): Room {
  const limit = (): number => draw.one([0, 1, 2, 3]);
  const by = kind === 'one family' ? draw.one(['shared room', 'room by family'] as const) : kind;
  return by === 'shared room' ? { ip: limit() } : { ipv4: limit(), ipv6: limit() };
}

interface Cloud {
  nodes: Node[];
  egressIPs: EgressIP[];
}

function randomNode(draw: Draw, name: string, kind: Kind): Node {
  const labels: Record<string, string> = {};
  for (const key of ['p', 'q']) if (draw.next() < 0.7) labels[key] = '1';
  return cloudNode(name, randomRoom(draw, kind), { labels, ready: draw.next() < 0.85 });
}

/** At most 8 addresses in at most 4 EgressIPs, on at most 4 nodes. */
function randomCloud(draw: Draw, kind: Kind): Cloud {
  const some = nodeNames.slice(0, draw.one([1, 2, 3, 4]));
  const nodes = some.map((name) => randomNode(draw, name, kind));
  const egressIPs: EgressIP[] = [];
  let left = draw.one([2, 4, 6, 8]);
  for (const [index, name] of ['w', 'x', 'y', 'z'].entries()) {
    const size = Math.min(left, draw.one([1, 2, 3]));
    left -= size;
    if (size === 0) break;
    const addresses = Array.from({ length: size }, (_, at) =>
      kind !== 'one family' && draw.next() < 0.5
        ? `fd00::${index + 1}${at}`
        : `10.0.0.${100 + 10 * index + at}`,
    );
    const nodeSelector = draw.one([on({}), on({ p: '1' }), on({ q: '1' })]);
    const fact = egressIP(name, addresses, { nodeSelector, createdMs: index });
    if (fact.kind === 'EgressIPSeen') egressIPs.push(fact.egressIP);
  }
  return { nodes, egressIPs };
}

const factsOf = ({ nodes, egressIPs }: Cloud): Fact[] => [
  ...nodes.map(sees),
  ...egressIPs.map((one): Fact => ({ kind: 'EgressIPSeen', egressIP: one })),
];

/** How many addresses could have had a node and have none; 0 = nothing was left out. */
function gapOf(bench: CloudBench, cloud: Cloud, before: ReadonlyMap<string, string>): number {
  const force = new Force();
  const seekers: Seeker[] = [];
  let placed = 0;
  for (const wanted of cloud.egressIPs)
    for (const address of wanted.addresses) {
      const node = cloud.nodes.find(({ name }) => name === before.get(address));
      if (node !== undefined && selects(wanted, node)) {
        assert.equal(bench.homes.get(address), node.name, `${address} had a good home`);
        force.take(node.name, address, wanted.name);
        continue;
      }
      const nodes = cloud.nodes.filter((one) => selects(wanted, one));
      seekers.push({ owner: wanted.name, address, nodes });
      if (bench.homes.has(address)) placed++;
    }
  checkRoom(bench, cloud, force);
  return force.most(seekers) - placed;
}

/** Nobody is on a node that does not suit, beside a sibling, or beyond what was there or fits. */
function checkRoom(bench: CloudBench, cloud: Cloud, stayed: Force): void {
  const now = new Force();
  for (const [name, { placements }] of bench.decided) {
    const wanted = cloud.egressIPs.find((one) => one.name === name);
    assert.ok(wanted !== undefined);
    for (const { address, node } of placements) {
      const host = cloud.nodes.find((one) => one.name === node);
      assert.ok(host !== undefined && selects(wanted, host), `${address} on ${node}`);
      assert.ok(!now.on(node).owners.has(name), `siblings of ${name} on ${node}`);
      now.take(node, address, name);
    }
  }
  for (const node of cloud.nodes) {
    const { ip, ipv4, ipv6 } = roomOf(node);
    const [is, was] = [now.on(node.name), stayed.on(node.name)];
    const grew = is[4] + is[6] > was[4] + was[6];
    assert.ok(!grew || is[4] + is[6] <= ip, `${node.name} holds more than ${ip}`);
    assert.ok(is[4] <= Math.max(ipv4, was[4]), `${node.name} holds more than ${ipv4} IPv4`);
    assert.ok(is[6] <= Math.max(ipv6, was[6]), `${node.name} holds more than ${ipv6} IPv6`);
  }
}

/** Opens a cloud, then changes it twice; returns the gaps of the three turns. */
function gapsOf(seed: number, kind: Kind): readonly number[] {
  const draw = seeded(seed);
  const cloud = randomCloud(draw, kind);
  const bench = new CloudBench();
  bench.hear(factsOf(cloud));
  const gaps = [gapOf(bench, cloud, new Map())];
  for (let change = 0; change < 2; change++) {
    const before = bench.homes;
    const name = draw.one(cloud.nodes).name;
    const changed = randomNode(draw, name, kind);
    cloud.nodes = cloud.nodes.map((one) => (one.name === name ? changed : one));
    bench.hear([sees(changed)]);
    gaps.push(gapOf(bench, cloud, before));
  }
  return gaps;
}

/** How many addresses were left out in all, by turn; turns without a gap are not listed. */
function sweep(kind: Kind): readonly string[] {
  const gaps: string[] = [];
  for (let seed = 1; seed <= WORLDS; seed++)
    for (const [turn, gap] of gapsOf(seed, kind).entries())
      if (gap !== 0) gaps.push(`seed ${seed} turn ${turn}: ${gap} left out`);
  console.log(`      ${3 * WORLDS} turns with ${kind}, ${gaps.length} with a gap`);
  return gaps;
}

describe('the assigner on a cloud with limited room, against trying everything', function () {
  this.timeout(240_000);

  for (const kind of ['one family', 'shared room'] as const)
    it(`leaves out no address that fits without moving one that was decided: ${kind}`, () => {
      assert.deepEqual(sweep(kind).slice(0, 5), []);
    });

  /**
   * Siblings apart and room by family cut across each other: to place all that can be placed is a
   * matching in three dimensions then, and no quick search finds it always. In these worlds, which
   * are as tight as can be, ours leaves out an address in fewer than one turn of a thousand.
   */
  it('leaves out one address at most, and rarely, where each family has room of its own', () => {
    const gaps = sweep('room by family');
    assert.ok(gaps.length <= Math.ceil((3 * WORLDS) / 1_000), `${gaps.length} gaps`);
    assert.deepEqual(
      gaps.filter((text) => !text.endsWith(': 1 left out')),
      [],
    );
  });
});
