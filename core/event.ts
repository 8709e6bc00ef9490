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

/** An event as it was heard from the log. */
export interface Heard {
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
export interface Saying {
  readonly event: Event;
  readonly causes: readonly Cause[];
  /** One sentence without the object's name, for people (`core/say.ts`). */
  readonly said: string;
}
