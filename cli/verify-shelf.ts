/** One stream as a replay takes it: what has been read, and how far it has been taken in. */
import type { Heard, Speaker } from '../core/event.ts';
import { topicOf } from '../core/subject.ts';

export class Shelf {
  readonly stream: Speaker;
  /** The last sequence that was read. */
  read = 0;
  /** The last sequence that was taken in. */
  at = 0;
  #begun = false;
  readonly #waiting: Heard[] = [];
  /** What the life that speaks here had heard of this stream when it began. */
  #born: number | undefined = undefined;
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
    return missing;
  }

  /** Takes in what comes next, up to a sequence; hands each event to `fold`. */
  advance(to: number, fold: (heard: Heard) => void = () => {}): void {
    const beyond = this.#waiting.findIndex(({ sequence }) => sequence > to);
    for (const heard of this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : beyond)) {
      this.#take(heard);
      fold(heard);
    }
  }

  /** What a reader that comes now would be given, in order. */
  last(): readonly Heard[] {
    return [...this.#last.values()].sort((a, b) => a.sequence - b.sequence);
  }

  #take(heard: Heard): void {
    if (this.#isAfterLoss(heard)) this.#last.clear();
    this.at = heard.sequence;
    const { kind, name } = topicOf(heard.event);
    this.#last.set(`${kind} ${name}`, heard);
  }

  /**
   * Who begins to speak has heard the stream to its end. If that was less than what stands here,
   * the stream was lost in between, and goes on behind what the history knows of it.
   */
  #isAfterLoss({ sequence, heard = [] }: Heard): boolean {
    const own = heard.find(({ stream }) => stream === this.stream)?.sequence;
    if (own === undefined || own === this.#born) return false;
    this.#born = own;
    return this.at === sequence - 1 && own < this.at;
  }
}
