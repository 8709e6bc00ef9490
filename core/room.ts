/** The one shape that every room has: it hears, folds, decides, and says or does what follows. */
import type { Heard, Saying, Speaker } from './event.ts';

/** What a room wants after it has thought once. */
export interface Turn<Act> {
  /** To be put on the log as one batch, in this order. */
  readonly says: readonly Saying[];
  /** To be done in the world; what came of each is folded as an input. */
  readonly does: readonly Act[];
  /** There is more to decide: call again after a breath (a slice is small, law: 20 ms at most). */
  readonly more: boolean;
}

/** A number that a room shows to Prometheus; several of one name differ in their labels. */
export interface Reading {
  /** Without the prefix `sluice_`; a name that begins with `ovnkube_` is upstream's and stays. */
  readonly name: string;
  readonly help: string;
  readonly kind: 'gauge' | 'counter';
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * `Input` is what a room senses itself (Kubernetes objects, probe answers, ticks, results of acts).
 */
export interface Room<World, Input, Act> {
  readonly name: Speaker;
  /** The streams it must have heard to the end before it speaks; its own is always among them. */
  readonly hears: readonly Speaker[];
  /**
   * Its acts need not wait until what it says is on the log: it says what was, not what will be.
   */
  readonly eager?: boolean;
  fresh(): World;
  /** Learns one event of the log. Total: what means nothing to this room changes nothing. */
  fold(world: World, heard: Heard): void;
  /** Learns one thing sensed. */
  sense(world: World, input: Input): void;
  /**
   * Learns at the beginning of a turn how late it is, in milliseconds since 1970. A room that has
   * this senses nothing but time: all that it says can be concluded again from the log.
   */
  reach?(world: World, nowMs: number): void;
  /** The next slice of what should change now. Nothing to say, to do, and no more = at rest. */
  decide(world: World): Turn<Act>;
  /** What the room still waits for before it can do its work, for `/readyz`; '' = nothing. */
  waits(world: World): string;
  /** What Prometheus is shown, read when it asks. */
  readings?(world: World): Iterable<Reading>;
}
