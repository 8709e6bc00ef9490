/** Everything that is ever on the log: facts, decisions, outcomes. */
import type { Decision } from './decision.ts';
import type { Fact } from './fact.ts';
import type { Outcome } from './outcome.ts';

export type Event = Fact | Decision | Outcome;

/** Who speaks; also the name of the stream it speaks on. */
export type Speaker = 'watcher' | 'assigner' | 'bgp' | 'aws-sync' | 'publisher';

export const speakers: readonly Speaker[] = ['watcher', 'assigner', 'bgp', 'aws-sync', 'publisher'];

/** An event that led to another: where it stands on the log. */
export interface Cause {
  readonly stream: Speaker;
  readonly sequence: number;
}

/** A turn of a room: when it began, and how far each stream had been heard by then. */
export interface QuietTurn {
  readonly atMs: number;
  /** Sequences, in the order of `heard` in the saying that tells of it. */
  readonly heard: readonly number[];
}

/** What a room knew when it concluded: with the log, enough to conclude the same again. */
export interface Known {
  /**
   * The last event that it had heard of each stream; of its own, the last that it had not said
   * itself, so that another life of the room is seen from another number.
   */
  readonly heard?: readonly Cause[];
  /** Turns of this life since the last saying that changed what it knew, but said nothing. */
  readonly quiet?: readonly QuietTurn[];
}

/** An event as it was heard from the log. */
export interface Heard extends Known {
  readonly stream: Speaker;
  readonly sequence: number;
  /** When it was said, in milliseconds since 1970. */
  readonly atMs: number;
  readonly causes: readonly Cause[];
  /** The event as one sentence. */
  readonly said: string;
  readonly event: Event;
}

/** An event that a room wants on the log. */
export interface Saying extends Known {
  /** When the turn began that concluded it, in milliseconds since 1970; unset = when it is said. */
  readonly atMs?: number;
  readonly event: Event;
  readonly causes: readonly Cause[];
  /** One sentence without the object's name, for people (`core/say.ts`). */
  readonly said: string;
}
