/** What the watcher remembers: what it sees, what it told, and where the two may differ. */
import type { BgpFact } from '../../core/bgp-fact.ts';
import type { Event } from '../../core/event.ts';
import type { Fact, Node } from '../../core/fact.ts';
import { isCloud } from '../../core/platform.ts';
import type { Act, Settings, Tuning } from './input.ts';
import {
  cloudClaimKind,
  egressIPKind,
  type Kind,
  nodeKindWith,
  plainKinds,
  type Thing,
} from './kinds.ts';
import { Probes } from './probes.ts';
import { Shelf } from './shelf.ts';

export class World {
  settings: Settings;
  readonly probes: Probes;
  readonly nodes: Shelf<Node>;
  readonly egressIPs = new Shelf(egressIPKind);
  readonly claims = new Shelf(cloudClaimKind);
  readonly shelves: readonly Shelf<Thing>[];
  /** Undefined until something is known of it. */
  platform: string | undefined;
  /** `status.infrastructureName`; undefined until something is known of it. */
  infrastructureName: string | undefined;
  /** The last fact on each topic, as it stands on the log: `node/worker-1`. */
  readonly told = new Map<string, Fact>();
  /** Topics where what is seen may differ from what was told. */
  readonly dirty = new Set<string>();
  readonly acts: Act[] = [];
  /** The union of selectors changed: every node is to be looked at. */
  lookAtAll = false;

  constructor(settings: Settings) {
    this.settings = settings;
    this.nodes = new Shelf(nodeKindWith(settings.drainOn ?? []));
    const plain = plainKinds.map((kind) => new Shelf(kind as Kind<Thing>));
    this.shelves = [this.nodes, this.egressIPs, this.claims, ...plain];
    this.probes = new Probes(settings);
    this.platform = settings.platform;
    this.dirty.add('platform/cluster');
  }

  tune(tuning: Tuning): void {
    this.settings = { ...this.settings, ...tuning };
    this.probes.settings = this.settings;
  }

  /** What must be complete before others may begin to decide. */
  get needed(): readonly Shelf<Thing>[] {
    const { nodes, egressIPs, claims } = this;
    return isCloud(this.platform) ? [nodes, egressIPs, claims] : [nodes, egressIPs];
  }

  /** Who is to be probed is known: that depends on both. */
  get pictured(): boolean {
    return this.nodes.listed && this.egressIPs.listed;
  }

  /** Nobody has decided yet, and there are addresses to be lost by a wrong word. */
  get takingOver(): boolean {
    if (this.told.has('sync/cluster')) return false;
    return [...this.egressIPs.things.values()].some(({ items }) => items.length > 0);
  }

  toldPlatform(): Extract<Fact, { kind: 'PlatformSeen' }> | undefined {
    const fact = this.told.get('platform/cluster');
    return fact?.kind === 'PlatformSeen' ? fact : undefined;
  }

  /** What the log says of a node's reachability, if it was the same node. */
  toldReachable(name: string, uid: string): boolean | undefined {
    const fact = this.told.get(`probe/${name}`);
    return fact?.kind === 'ReachabilitySeen' && fact.uid === uid ? fact.reachable : undefined;
  }

  toldIsolated(): boolean {
    const fact = this.told.get('prober/cluster');
    return fact?.kind === 'ProberSeen' && fact.isolated;
  }
}

export function isFact(event: Event): event is Fact {
  switch (event.kind) {
    case 'NodeSeen':
    case 'NodeGone':
    case 'EgressIPSeen':
    case 'EgressIPGone':
    case 'ReachabilitySeen':
    case 'ReachabilityForgotten':
    case 'CloudClaimSeen':
    case 'CloudClaimGone':
    case 'PlatformSeen':
    case 'ProberSeen':
    case 'Synced':
      return true;
    default:
      return isBgpFact(event);
  }
}

function isBgpFact(event: Event): event is BgpFact {
  switch (event.kind) {
    case 'BgpConfigSeen':
    case 'BgpConfigGone':
    case 'BgpRoutingSeen':
    case 'BgpRoutingGone':
    case 'ObjectSeen':
    case 'ObjectGone':
    case 'FrrPodSeen':
    case 'FrrPodGone':
    case 'NamespaceSeen':
    case 'NamespaceGone':
    case 'SessionSeen':
    case 'SessionGone':
    case 'KindSeen':
      return true;
    default:
      return false;
  }
}
