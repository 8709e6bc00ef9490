/** What a turn has in common, while routings are judged slice by slice. */
import { ADVERTISED } from '../../core/annotation.ts';
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import type { Cause } from '../../core/event.ts';
import type { Want } from './want.ts';

export interface Scene {
  readonly causes: readonly Cause[];
  readonly config: BgpConfig | undefined;
  /** The config was Ready once and is not being deleted: new routings are served. */
  open: boolean;
  /** Network → who holds it. */
  readonly claims: ReadonlyMap<string, BgpRouting>;
  /** Routing → the other one whose subnets it overlaps. */
  readonly overlaps: ReadonlyMap<string, string>;
  /** Network → its namespaces, by name, without those that are terminating. */
  readonly namespaces: ReadonlyMap<string, readonly string[]>;
  /** Some routing is not terminating. */
  readonly live: boolean;
  /** Routings that are still to be judged, last one first. */
  readonly queue: BgpRouting[];
  /** Keys of objects that are to carry our label of advertised ones, as found so far. */
  readonly labelled: Set<string>;
  /** Keys of networks that some routing answers for. */
  readonly claimed: ReadonlySet<string>;
  /** Some live routing's network is wanted: what all share is needed. */
  needed: boolean;
}

/** Remembers which objects are to carry our label. */
export function note({ labelled }: Scene, { object, name, labels, want }: Want): void {
  if (want === 'present' && labels[ADVERTISED] === 'true') labelled.add(`${object}/${name}`);
}

/** What all share is needed as soon as one network is wanted. */
export function answerFor(scene: Scene, { want }: Want): void {
  if (want === 'present') scene.needed = true;
}
