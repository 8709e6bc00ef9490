/** The turns of a life, told with what it says, so that the same can be concluded again. */
import type { Cause, QuietTurn, Saying, Speaker } from '../core/event.ts';

/** So many turns that said nothing are remembered; of more the oldest are forgotten. */
const MOST_QUIET = 1_000;

export type Stamped = Saying & { readonly atMs: number };

export class Turns {
  readonly #heard: Map<Speaker, number>;
  #quiet: QuietTurn[] = [];
  #isFirst = true;
  #atMs = 0;
  #causes: readonly Cause[] = [];

  constructor(hears: readonly Speaker[]) {
    this.#heard = new Map(hears.map((stream) => [stream, 0]));
  }

  /** An event was heard from the log; what a life says itself is not heard again. */
  hear(stream: Speaker, sequence: number): void {
    this.#heard.set(stream, sequence);
  }

  /** A turn begins at that time, in milliseconds since 1970. */
  begin(atMs: number): void {
    this.#atMs = atMs;
    this.#causes = [...this.#heard].map(([stream, sequence]) => ({ stream, sequence }));
  }

  /** A saying of this turn; the first one tells of the quiet turns before it. */
  stamp(saying: Saying): Stamped {
    this.#isFirst = false;
    const quiet = this.#quiet;
    const stamped = { ...saying, atMs: this.#atMs, heard: this.#causes };
    if (quiet.length === 0) return stamped;
    this.#quiet = [];
    return { ...stamped, quiet };
  }

  /** The turn said nothing. The first one counts even so: with it the life was up to date. */
  rest(changedSomething: boolean): void {
    if (!changedSomething && !this.#isFirst) return;
    this.#isFirst = false;
    this.#quiet.push({ atMs: this.#atMs, heard: this.#causes.map(({ sequence }) => sequence) });
    if (this.#quiet.length > MOST_QUIET) this.#quiet.splice(1, 1);
  }
}
