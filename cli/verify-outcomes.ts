/** The publisher's outcomes, each once the decision that it names was heard. */
import type { Heard, Speaker } from '../core/event.ts';

/** So many decisions of each object are remembered by whoever compares. */
export const REMEMBERED = 256;

export interface Compared {
  /** A decision of the speaker, each once. */
  learn(decision: Heard): void;
  /** The sequence of the decision that an outcome names; 0 = none. */
  causeOf(outcome: Heard): number;
  compare(outcome: Heard): void;
}

export class Outcomes {
  readonly #speaker: Speaker;
  readonly #by: Compared;
  #decided = 0;
  #from = Number.POSITIVE_INFINITY;
  #published = 0;
  readonly #waiting: Heard[] = [];

  constructor(speaker: Speaker, by: Compared) {
    this.#speaker = speaker;
    this.#by = by;
  }

  hear(heard: Heard): void {
    const { stream, sequence } = heard;
    if (stream === this.#speaker && sequence > this.#decided) {
      this.#decided = sequence;
      this.#from = Math.min(this.#from, sequence);
      this.#by.learn(heard);
    }
    if (stream === 'publisher' && sequence > this.#published) {
      this.#published = sequence;
      this.#waiting.push(heard);
    }
    // The history takes from the speakers in turns: an outcome may stand there before its cause.
    while (this.#waiting[0] !== undefined && this.#by.causeOf(this.#waiting[0]) <= this.#decided)
      this.#by.compare(this.#waiting.shift() as Heard);
  }

  /** Nothing more comes: what still waits is compared with what there is. */
  end(): void {
    for (const heard of this.#waiting.splice(0)) this.#by.compare(heard);
  }

  /** Of what was decided before the log begins nobody can tell. */
  isBefore(decision: number): boolean {
    return decision > 0 && decision < this.#from;
  }
}
