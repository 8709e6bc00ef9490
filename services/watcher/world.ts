/** What the watcher remembers: what it sees now, what it told before, and where the two may differ. */
import type { Event } from '../../core/event.ts';
import type { EgressIP, Fact, Node } from '../../core/fact.ts';
import type { Act, Settings } from './input.ts';
import { Probes } from './probes.ts';

export class World {
  readonly settings: Settings;
  readonly probes: Probes;
  readonly nodes = new Map<string, Node>();
  readonly egressIPs = new Map<string, EgressIP>();
  /** Collections of which the complete picture was seen. */
  readonly listed = new Set<string>();
  /** The last fact on each topic, as it stands on the log: `node/worker-1`. */
  readonly told = new Map<string, Fact>();
  /** Topics where what is seen may differ from what was told. */
  readonly dirty = new Set<string>();
  readonly acts: Act[] = [];
  /** The union of selectors changed: every node is to be looked at. */
  lookAtAll = false;

  constructor(settings: Settings) {
    this.settings = settings;
    this.probes = new Probes(settings);
  }

  toldNode(name: string): Node | undefined {
    const fact = this.told.get(`node/${name}`);
    return fact?.kind === 'NodeSeen' ? fact.node : undefined;
  }

  toldEgressIP(name: string): EgressIP | undefined {
    const fact = this.told.get(`egressip/${name}`);
    return fact?.kind === 'EgressIPSeen' ? fact.egressIP : undefined;
  }

  /** What the log says of a node's reachability, if it was the same node. */
  toldReachable(name: string, uid: string): boolean | undefined {
    const fact = this.told.get(`probe/${name}`);
    return fact?.kind === 'ReachabilitySeen' && fact.uid === uid ? fact.reachable : undefined;
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
      return false;
  }
}
