/** What aws-sync remembers: the cluster's wishes, each region as it was seen, and what was done. */
import type { InterfaceChange, PeerChange } from '../../core/aws-decision.ts';
import type { BgpConfig, Session } from '../../core/bgp-fact.ts';
import type { Trouble } from '../../core/cloud-door.ts';
import type { Event, Saying } from '../../core/event.ts';
import type { Node } from '../../core/fact.ts';
import { topicOf } from '../../core/subject.ts';
import type { Settings } from './input.ts';
import { Region } from './region.ts';
import { same } from '../../core/same.ts';
import { Tally } from './tally.ts';

/** The name of the one CUDNBgpConfig that counts (`spec/bgp-operator.md` 1). */
export const CONFIG = 'cluster';

/** The state of an endpoint that is not listed any more, and was not seen going. */
export const VANISHED = 'vanished';

/** A change, and what is known of what came of it. */
export interface Entry<Change> {
  readonly change: Change;
  /** `open`: it is on the log, and nobody knows whether it happened. */
  readonly result: 'open' | 'done' | 'gone' | 'refused' | 'unknown';
  readonly trouble: Trouble | '';
  readonly code: string;
  readonly message: string;
  readonly atMs: number;
}

/** What was last said on a topic, and when. */
interface Told {
  readonly event: Event;
  readonly atMs: number;
}

export class World {
  readonly settings: Settings;
  /** When we last learned the time; 0 = not yet. */
  nowMs = 0;
  /** The clock was asked: events of the log may be old. */
  clocked = false;
  /** Since when something is on its way; 0 = nothing is. */
  pendingSinceMs = 0;
  config: BgpConfig | undefined;
  infrastructureName = '';
  readonly nodes = new Map<string, Node>();
  /** The EC2 instance of each node that has one, by the node's name. */
  readonly instances = new Map<string, string>();
  /** The first complete picture of the nodes was heard. */
  nodesKnown = false;
  readonly routings = new Set<string>();
  /** FRRConfigurations of ours that are still there. */
  readonly frrConfigurations = new Set<string>();
  /** Collections of which all was heard, or that are not served. */
  readonly kindsKnown = new Set<string>();
  readonly sessions = new Map<string, Session>();
  readonly regions = new Map<string, Region>();
  /** The last change at each place `endpoint:address`. */
  readonly peerChanges = new Map<string, Entry<PeerChange>>();
  /** The last change of each node's source/destination check. */
  readonly interfaceChanges = new Map<string, Entry<InterfaceChange>>();
  /** When peers of each Route Server were deleted, in the last minute. */
  readonly removals = new Map<string, number[]>();
  readonly told = new Map<string, Told>();
  /** When the oldest of our own events on the log was said: what was done before is not known. */
  oldestMs = Infinity;
  /** Of what was done before, listings alone tell; undefined = there was no config yet. */
  knownFromMs: number | undefined;
  /** What is being done, by place or node; and in which region. */
  readonly inFlight = new Map<string, string>();
  readonly says: Saying[] = [];
  /** When the next wake is due that was asked for. */
  wakeMs = Infinity;
  /** Since when no node is a router; 0 = there are some. */
  emptySinceMs = 0;
  /** Since when only the FRRConfigurations hold up the clean-up. */
  withdrawingSinceMs = 0;
  /** Since when each zone is told to expect what it expects. */
  readonly effectiveMs = new Map<string, number>();
  /** Counts what was learned of the cluster. */
  revision = 0;
  /** Something was learned since the last decision. */
  dirty = true;
  readonly tally = new Tally();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  region(name: string): Region {
    const known = this.regions.get(name);
    if (known !== undefined) return known;
    const region = new Region(name, this.settings.times.lagMs);
    this.regions.set(name, region);
    return region;
  }

  /** The value of the tag `managed-by` on our peers (`spec/bgp-operator.md` 1). */
  get owner(): string {
    return `cudn-bgp-routing-operator/${this.infrastructureName}`;
  }

  /** Time only moves on. */
  reach(nowMs: number): void {
    this.nowMs = Math.max(this.nowMs, nowMs);
  }

  lastTold<Kind extends Event['kind']>(
    kind: Kind,
    topic: string,
  ): Extract<Event, { kind: Kind }> | undefined {
    const event = this.told.get(topic)?.event;
    return event?.kind === kind ? (event as Extract<Event, { kind: Kind }>) : undefined;
  }

  /** Puts it on the log when it is news. */
  tell(event: Event, said: string): void {
    const { kind, name } = topicOf(event);
    const told = this.told.get(`${kind}/${name}`)?.event;
    if (same(told, event)) return;
    this.say(event, said);
  }

  say(event: Event, said: string): void {
    this.says.push({ event, causes: [], said });
  }
}

/** Where a peer is: an endpoint has at most one living peer for an address. */
export const placeOf = (peer: { readonly endpoint: string; readonly address: string }): string =>
  `${peer.endpoint}:${peer.address}`;
