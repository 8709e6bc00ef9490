/** One stream as a replay takes it: what has been read, and how far it has been taken in. */
import type { Heard, Speaker } from '../core/event.ts';
import { topicOf } from '../core/subject.ts';
import { LEFT_OUT } from '../edge/nats/stream.ts';

export class Shelf {
  readonly stream: Speaker;
  /** The last sequence that was read. */
  read = 0;
  /** The last sequence that was taken in. */
  at = 0;
  #begun = false;
  readonly #waiting: Heard[] = [];
  /** Where the stream was lost and made anew: the first sequences behind what was left out. */
  readonly #anew = new Set<number>();
  /** The last event of each subject, as far as it has been taken in. */
  readonly #last = new Map<string, Heard>();

  constructor(stream: Speaker) {
    this.stream = stream;
  }

  /** What was said before the replay begins: it stands there, nobody looks at it again. */
  begin(heard: Heard): void {
    this.read = heard.sequence;
    this.#take(heard);
  }

  /** The next event; how many are missing between the one before and this one. */
  put(heard: Heard): number {
    const missing = this.#begun ? heard.sequence - this.read - 1 : 0;
    this.#begun = true;
    this.read = heard.sequence;
    this.#waiting.push(heard);
    if (missing < LEFT_OUT) return missing;
    this.#anew.add(heard.sequence);
    return 0;
  }

  /** Whether the stream was lost, and made anew with this one. */
  beganAnew(sequence: number): boolean {
    return this.#anew.has(sequence);
  }

  /**
   * Takes in what comes next, up to a sequence; hands each event to `fold`. Nobody lives on when a
   * stream is made anew: who hears of the new one has not heard the rest of the old one.
   */
  advance(to: number, fold: (heard: Heard) => void = () => {}): void {
    const beyond = this.#waiting.findIndex(({ sequence }) => sequence > to);
    const taken = this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : beyond);
    const begins = taken.findLastIndex(({ sequence }) => this.beganAnew(sequence));
    for (const [index, heard] of taken.entries()) {
      this.#take(heard);
      if (index >= begins) fold(heard);
    }
  }

  /** What a reader that comes now would be given, in order. */
  last(): readonly Heard[] {
    return [...this.#last.values()].sort((a, b) => a.sequence - b.sequence);
  }

  #take(heard: Heard): void {
    if (this.beganAnew(heard.sequence)) this.#last.clear();
    this.at = heard.sequence;
    const { kind, name } = topicOf(heard.event);
    this.#last.set(`${kind} ${name}`, heard);
  }
}
