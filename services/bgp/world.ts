/** What bgp remembers: what was seen, what it decided of it, and when to think again. */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { NeighborGroup } from '../../core/aws-fact.ts';
import type { BgpDecision } from '../../core/bgp-decision.ts';
import type { BgpConfig, BgpRouting, FrrPod, Session, UdnNamespace } from '../../core/bgp-fact.ts';
import type { Cause } from '../../core/event.ts';
import type { Labels } from '../../core/labels.ts';
import type { ManagedKind, ManagedObject } from '../../core/managed.ts';
import { Copies } from './copies.ts';
import { type Plural, pluralOf } from './kinds.ts';
import type { Scene } from './scene.ts';

type Decision<K extends BgpDecision['kind']> = Extract<BgpDecision, { kind: K }>;
export type ConfigDecided = Decision<'BgpConfigDecided'>;
export type RoutingDecided = Decision<'BgpRoutingDecided'>;
export type ObjectDecided = Decision<'ObjectDecided'>;
export type AwsJudged = Extract<AwsDecision, { kind: 'AwsJudged' }>;

export const keyOf = (object: ManagedKind, name: string): string => `${object}/${name}`;

/** So many causes of a turn are told. */
const CAUSES = 4;

export class World {
  readonly configs = new Map<string, BgpConfig>();
  readonly routings = new Map<string, BgpRouting>();
  /** `FRRConfiguration/cudn-bgp-a` → the object; the copies of OVN-Kubernetes apart. */
  readonly objects = new Map<string, ManagedObject>();
  readonly copies = new Copies();
  /** Uids of objects that carried our label once: whoever takes it away does not get them. */
  readonly owned = new Set<string>();
  readonly pods = new Map<string, FrrPod>();
  readonly namespaces = new Map<string, UdnNamespace>();
  readonly sessions = new Map<string, Session>();
  /** Node → its labels. */
  readonly nodes = new Map<string, Labels>();
  /** Collection → whether it is served, once the watcher has said so. */
  readonly kinds = new Map<string, boolean>();
  /** The first complete picture of the nodes was heard. */
  synced = false;
  /** What AWS offers to the CUDNBgpConfig with this uid. */
  neighbors: { readonly uid: string; readonly groups: readonly NeighborGroup[] } | undefined;
  readonly judged = new Map<string, AwsJudged>();
  readonly configsDecided = new Map<string, ConfigDecided>();
  readonly routingsDecided = new Map<string, RoutingDecided>();
  readonly objectsDecided = new Map<string, ObjectDecided>();
  /** Since when something is not as it was told to be: a short trouble is not told at once. */
  readonly troubles = new Map<string, number>();
  /** The latest time that was heard of, on the log or by an alarm. */
  nowMs = 0;
  /** Something changed since the last thought. */
  dirty = false;
  /** What this turn has in common, while it is worked off in slices. */
  scene: Scene | undefined = undefined;
  #causes: Cause[] = [];
  #wakeMs = Number.POSITIVE_INFINITY;
  #askedMs = Number.POSITIVE_INFINITY;

  /** Objects of a kind that is not served do not exist, whatever was seen before. */
  object(kind: ManagedKind, name: string): ManagedObject | undefined {
    return this.isServed(pluralOf[kind]) ? this.objects.get(keyOf(kind, name)) : undefined;
  }

  objectsOf(kind: ManagedKind): readonly ManagedObject[] {
    if (!this.isServed(pluralOf[kind])) return [];
    return [...this.objects.values()]
      .filter(({ object }) => object === kind)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  isServed(plural: Plural): boolean {
    return this.kinds.get(plural) === true;
  }

  /** Something happened that may matter. */
  stir(cause: Cause | undefined): void {
    this.dirty = true;
    if (cause !== undefined) this.#causes = [...this.#causes, cause].slice(-CAUSES);
  }

  takeCauses(): readonly Cause[] {
    const causes = this.#causes;
    this.#causes = [];
    return causes;
  }

  /** At that time things are to be thought over again. */
  remind(atMs: number): void {
    this.#wakeMs = Math.min(this.#wakeMs, atMs);
  }

  /** A new thought reminds of all that is still waited for. */
  forgetReminders(): void {
    this.#wakeMs = Number.POSITIVE_INFINITY;
  }

  /** Time goes on; it never goes back. */
  reach(nowMs: number): void {
    this.nowMs = Math.max(this.nowMs, nowMs);
    if (this.#askedMs <= this.nowMs) this.#askedMs = Number.POSITIVE_INFINITY;
    if (this.#wakeMs <= this.nowMs) this.dirty = true;
  }

  /** The next time to be woken at, once; undefined when there is none or it was asked for. */
  ask(): number | undefined {
    if (this.#wakeMs >= this.#askedMs) return undefined;
    this.#askedMs = this.#wakeMs;
    return this.#wakeMs;
  }
}
