/** Hears a log, each stream in its order, and has what a room said compared when all is there. */
import type { Heard, Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { count } from '../core/say.ts';
import { boundsOf, turnOf } from './verify-bounds.ts';
import { Comparison } from './verify-compare.ts';
import { type Finding, findingOn } from './verify-finding.ts';
import { Shelf } from './verify-shelf.ts';

export interface Verified {
  readonly room: Speaker;
  readonly decisions: number;
  /** Between restarts, as far as they said something. */
  readonly lives: number;
  /** Without a word of what had been heard, from facts before the beginning, or in its turn. */
  readonly older: number;
  /** The first decision that was compared. */
  readonly from: Heard | undefined;
}

export class Verification<World, Input, Act> {
  readonly #name: Speaker;
  readonly #own: Shelf;
  readonly #shelves: ReadonlyMap<Speaker, Shelf>;
  readonly #comparison: Comparison<World, Input, Act>;
  /** What the room said and waits for the facts that it had heard. */
  readonly #waiting: { readonly heard: Heard; readonly missing: number }[] = [];
  readonly #gaps: Finding[] = [];
  /** The turn in which the last word before the beginning was said. */
  #lastTurn = '';
  #decisions = 0;
  #older = 0;
  #from: Heard | undefined = undefined;

  constructor(room: Room<World, Input, Act>) {
    this.#name = room.name;
    this.#own = new Shelf(room.name);
    const others = room.hears.filter((stream) => stream !== room.name);
    this.#shelves = new Map([this.#own, ...others.map((one) => new Shelf(one))].map(byStream));
    this.#comparison = new Comparison(room, this.#shelves);
  }

  get verified(): Verified {
    const [decisions, older, from] = [this.#decisions, this.#older, this.#from];
    return { room: this.#name, decisions, lives: this.#comparison.lives, older, from };
  }

  get findings(): readonly Finding[] {
    return [...this.#gaps, ...this.#comparison.findings];
  }

  /** What was said before the replay begins, the last event of each subject in order. */
  begin(heard: Heard): void {
    this.#shelves.get(heard.stream)?.begin(heard);
    if (heard.stream === this.#name) this.#lastTurn = turnOf(heard);
  }

  hear(heard: Heard): void {
    const shelf = this.#shelves.get(heard.stream);
    if (shelf === undefined || heard.sequence <= shelf.read) return;
    const missing = shelf.put(heard);
    const events = `${count(missing, 'event')} of the ${heard.stream}`;
    if (missing > 0)
      this.#gaps.push(findingOn('gap', heard, `${events} before it are not on the log`));
    if (shelf === this.#own) this.#waiting.push({ heard, missing });
    while (this.#waiting[0] !== undefined && this.#lacks(this.#waiting[0].heard) === undefined)
      this.#next();
  }

  /** Nothing more comes: what still waits was concluded from facts that are not there. */
  end(): void {
    for (; this.#waiting[0] !== undefined; this.#next()) {
      const { heard } = this.#waiting[0];
      const lacking = this.#lacks(heard)?.join(' ');
      const what = `it had heard ${lacking}, which is not on the log`;
      if (lacking !== undefined) this.#gaps.push(findingOn('gap', heard, what));
    }
  }

  /** A stream, and the sequence on it that it had heard and that was not read yet. */
  #lacks(heard: Heard): readonly [Speaker, number] | undefined {
    return boundsOf(heard)
      .entries()
      .find(([stream, to]) => to > (this.#shelves.get(stream)?.read ?? 0));
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { heard, missing } = next;
    if (this.#isBefore(heard)) this.#older++;
    else if (heard.heard === undefined)
      this.#comparison.refuse(heard, 'it does not tell what had been heard');
    else {
      this.#from ??= heard;
      this.#decisions++;
      this.#comparison.compare(heard, heard.heard, missing);
    }
    this.#own.advance(heard.sequence);
  }

  #isBefore(heard: Heard): boolean {
    if (this.#from !== undefined) return false;
    if (heard.heard === undefined || turnOf(heard) === this.#lastTurn) return true;
    return !this.#comparison.isAhead(boundsOf(heard));
  }
}

const byStream = (shelf: Shelf): readonly [Speaker, Shelf] => [shelf.stream, shelf];
