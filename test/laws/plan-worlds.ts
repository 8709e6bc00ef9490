/** Random clusters that are played to rest beside the assigner, and random changes to them. */
import type { CloudClaim, EgressIP, Fact, Node } from '../../core/fact.ts';
import { seeded } from '../every.ts';
import { Bench, egressIP, node, on, sees } from './assigner-bench.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const objects = ['u', 'v', 'w', 'x', 'y', 'z'];
const pool = [100, 101, 102, 103, 104, 105, 106, 107].map((last) => `10.0.0.${last}`);
const zones = ['z1', 'z2', 'z3'];
export const ZONE = 'topology.kubernetes.io/zone';

/** A cluster: what is so, and the assigner that hears of it. It borrows nothing from the plan. */
export class Cluster {
  readonly bench: Bench;
  readonly nodes = new Map<string, Node>();
  readonly egressIPs = new Map<string, EgressIP>();
  readonly answers = new Map<string, boolean>();
  readonly claims = new Map<string, CloudClaim>();
  readonly cloud: boolean;
  readonly probing: 'off' | 'grpc';
  /** How often the cluster had to be played on until it was at rest. */
  rounds = 0;

  constructor(cloud: boolean, probing: 'off' | 'grpc') {
    this.cloud = cloud;
    this.probing = probing;
    this.bench = new Bench(probing);
    if (!cloud) return;
    const kinds = ['nodes', 'egressips', 'cloudprivateipconfigs'];
    this.bench.hear([
      { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' },
      { kind: 'Synced', kinds, probing },
    ]);
  }

  /** All of it comes true at once; then probes answer and the cloud obeys until nothing is new. */
  change(facts: readonly Fact[]): void {
    for (let news = facts; news.length > 0; news = [...this.#probes(), ...this.#cloudNews()]) {
      for (const fact of news) this.#learn(fact);
      this.bench.hear(news);
      this.rounds++;
    }
  }

  #learn(fact: Fact): void {
    if (fact.kind === 'NodeSeen') this.nodes.set(fact.node.name, fact.node);
    if (fact.kind === 'NodeGone') this.nodes.delete(fact.name);
    if (fact.kind === 'EgressIPSeen') this.egressIPs.set(fact.egressIP.name, fact.egressIP);
    if (fact.kind === 'EgressIPGone') this.egressIPs.delete(fact.name);
    if (fact.kind === 'ReachabilitySeen') this.answers.set(fact.name, fact.reachable);
    if (fact.kind === 'ReachabilityForgotten') this.answers.delete(fact.name);
    if (fact.kind === 'CloudClaimSeen') this.claims.set(fact.claim.name, fact.claim);
    if (fact.kind === 'CloudClaimGone') this.claims.delete(fact.name);
  }

  #probes(): readonly Fact[] {
    if (this.probing === 'off') return [];
    const selectors = [...this.egressIPs.values()].map(
      (one) => one.nodeSelector?.matchLabels ?? {},
    );
    const wanted = [...this.nodes.values()].filter(
      ({ ready, labels }) =>
        ready &&
        selectors.some((all) => Object.entries(all).every(([key, value]) => labels[key] === value)),
    );
    const first = wanted.filter(({ name }) => !this.answers.has(name));
    const left = [...this.answers.keys()].filter(
      (name) => !wanted.some((one) => one.name === name),
    );
    return [
      ...first.map(({ name, uid }): Fact => {
        return { kind: 'ReachabilitySeen', name, uid, reachable: true, because: 'answers' };
      }),
      ...left.map((name): Fact => ({ kind: 'ReachabilityForgotten', name })),
    ];
  }

  #cloudNews(): readonly Fact[] {
    if (!this.cloud) return [];
    const asked = new Map<string, { owner: string; node: string }>();
    for (const [owner, { placements }] of this.bench.decided)
      for (const { address, node: where } of placements) asked.set(address, { owner, node: where });
    const gone = [...this.claims.values()].filter(
      ({ name, owner }) => owner !== '' && !asked.has(name),
    );
    const made = [...asked].filter(([name, { owner, node: where }]) => {
      const claim = this.claims.get(name);
      // What somebody else made is left alone.
      if (claim?.owner === '') return false;
      return claim?.owner !== owner || claim.statusNode !== where;
    });
    return [
      ...made.map(([name, { owner, node: where }]): Fact => {
        const done = { assigned: 'True', message: '', sinceMs: 0, deleting: false };
        const uid = this.claims.get(name)?.uid ?? `uid-${name}`;
        const claim = { name, uid, owner, node: where, statusNode: where, ...done };
        return { kind: 'CloudClaimSeen', claim };
      }),
      ...gone.map(({ name, uid }): Fact => ({ kind: 'CloudClaimGone', name, uid })),
    ];
  }

  /** EgressIP and address → node. */
  get homes(): ReadonlyMap<string, string> {
    const homes = new Map<string, string>();
    for (const [name, { placements }] of this.bench.decided)
      for (const { address, node: where } of placements) homes.set(`${name} ${address}`, where);
    return homes;
  }
}

type Draw = ReturnType<typeof seeded>;

export function randomNode(draw: Draw, name: string): Node {
  const last = 1 + names.indexOf(name);
  const labels = { tier: draw.one(['p', 'q']), [ZONE]: draw.one(zones) };
  const odd = draw.next() < 0.1 ? { hosts: [`${draw.one(pool)}/32`] } : {};
  const made = node(name, last, { labels, ready: draw.next() < 0.9, ...odd });
  return withRoom(made, draw.one([{ ipv4: 0 }, { ipv4: 1 }, { ipv4: 2 }, { ip: 3 }, {}]));
}

/** The node as a cloud has it. */
export function withRoom(made: Node, capacity: object): Node {
  const config = [{ interface: 'eni', ifaddr: { ipv4: '10.0.0.0/24' }, capacity }];
  const key = 'cloud.network.openshift.io/egress-ipconfig';
  return { ...made, annotations: { ...made.annotations, [key]: JSON.stringify(config) } };
}

export function randomEgressIP(draw: Draw, name: string): Fact {
  const wanted = Array.from({ length: draw.one([1, 1, 2, 3]) }, () => draw.one(pool));
  const nodeSelector = draw.one([on({}), on({ tier: 'p' }), on({ tier: 'q' })]);
  return egressIP(name, wanted, { nodeSelector, createdMs: objects.indexOf(name) });
}

/** A cluster at rest. The same seed gives the same one. */
export function randomCluster(seed: number): Cluster {
  const draw = seeded(seed);
  const cluster = new Cluster(draw.next() < 0.5, draw.one(['off', 'grpc']));
  const some = names.slice(0, draw.one([2, 3, 4, 5, 6]));
  cluster.change(some.map((name) => sees(randomNode(draw, name))));
  for (const name of objects.slice(0, draw.one([2, 4, 6])))
    cluster.change([randomEgressIP(draw, name)]);
  if (cluster.probing === 'grpc' && draw.next() < 0.4) cluster.change([silent(cluster, draw)]);
  return cluster;
}

function silent({ nodes }: Cluster, draw: Draw): Fact {
  const { name, uid } = draw.one([...nodes.values()]);
  return { kind: 'ReachabilitySeen', name, uid, reachable: false, because: 'silent' };
}

/** What somebody might want to do to it. */
export function randomChange(cluster: Cluster, draw: Draw): readonly Fact[] {
  const known = [...cluster.nodes.values()];
  const target = draw.one(known);
  switch (draw.one(['lose', 'zone', 'label', 'ready', 'apply', 'delete', 'several', 'foreign'])) {
    case 'foreign':
      return [foreign(cluster, draw, target)];
    case 'lose':
      return [gone(target)];
    case 'zone':
      return zoneOf(cluster, target.labels[ZONE] ?? '').map(gone);
    case 'label':
      return [sees({ ...target, labels: { ...target.labels, tier: draw.one(['p', 'q', 'r']) } })];
    case 'ready':
      return [sees({ ...target, ready: !target.ready })];
    case 'apply':
      return [randomEgressIP(draw, draw.one(objects))];
    case 'delete': {
      const { name, uid } = draw.one([...cluster.egressIPs.values()]);
      return [{ kind: 'EgressIPGone', name, uid }];
    }
    default:
      return [randomEgressIP(draw, draw.one(objects)), gone(target)];
  }
}

/** Somebody else takes room on a node of a cloud, or gives it back; elsewhere the node is lost. */
function foreign({ cloud, claims }: Cluster, draw: Draw, target: Node): Fact {
  const name = draw.one(['10.0.0.200', '10.0.0.201']);
  if (!cloud) return gone(target);
  if (claims.has(name)) return { kind: 'CloudClaimGone', name, uid: `uid-${name}` };
  const place = { node: target.name, statusNode: target.name };
  const done = { assigned: 'True', message: '', sinceMs: 0, deleting: false };
  const claim = { name, uid: `uid-${name}`, owner: '', ...place, ...done };
  return { kind: 'CloudClaimSeen', claim };
}

export const gone = ({ name, uid }: Node): Fact => ({ kind: 'NodeGone', name, uid });

export const zoneOf = ({ nodes }: Cluster, zone: string): readonly Node[] =>
  [...nodes.values()].filter(({ labels }) => labels[ZONE] === zone);
