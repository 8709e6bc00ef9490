/** What a room said, saying by saying, against what it concludes when it lives again. */
import type { Cause, Heard, Saying, Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { type Finding, type FindingKind, findingOn, isSame, objectOf } from './verify-finding.ts';
import { Relife } from './verify-life.ts';
import { boundsOf, type Bounds, boundsAt, turnOf } from './verify-bounds.ts';
import type { Shelf } from './verify-shelf.ts';

export class Comparison<World, Input, Act> {
  readonly findings: Finding[] = [];
  /** Lives that said something. */
  lives = 0;
  readonly #room: Room<World, Input, Act>;
  readonly #shelves: ReadonlyMap<Speaker, Shelf>;
  #life: Relife<World, Input, Act> | undefined = undefined;
  #born = -1;
  #turn = '';
  /** The life is followed from its beginning: all that it remembers is known. */
  #isSure = true;

  constructor(room: Room<World, Input, Act>, shelves: ReadonlyMap<Speaker, Shelf>) {
    this.#room = room;
    this.#shelves = shelves;
  }

  /** The next saying; `missing` = so many that stood before it are not on the log. */
  compare(heard: Heard, marks: readonly Cause[], missing: number): void {
    const stale = heard.causes.find((cause) => !isHeard(cause, marks, heard));
    if (stale !== undefined)
      this.refuse(heard, `its cause ${stale.stream} ${stale.sequence} had not been heard`);
    const life = this.#follow(heard, missing);
    skip(life.unsaid, heard, missing);
    const [first] = life.unsaid;
    if (first !== undefined && objectOf(first.event) === objectOf(heard.event)) {
      if (!isSame(first, heard)) this.#tell('changed', heard, changedWords(heard.said, first.said));
      return life.say(heard);
    }
    this.refuse(heard, 'on what had been heard, the rules conclude nothing of the kind');
    this.#life = undefined;
  }

  refuse(heard: Heard, what: string): void {
    this.#tell('unexplained', heard, `says "${heard.said}"; ${what}`);
  }

  /** Whether a turn is not past yet: a replay may begin in the middle of a life. */
  isAhead(bounds: Bounds): boolean {
    const taken = (stream: Speaker): number => this.#shelves.get(stream)?.at ?? 0;
    return bounds
      .entries()
      .every(([stream, to]) => stream === this.#room.name || to >= taken(stream));
  }

  #tell(kind: FindingKind, heard: Heard, what: string): void {
    this.findings.push(findingOn(this.#isSure ? kind : 'unsure', heard, what));
  }

  /** The life that says this, brought to the turn in which it said it. */
  #follow(heard: Heard, missing: number): Relife<World, Input, Act> {
    const born = boundsOf(heard).get(this.#room.name) ?? 0;
    const anew = this.#shelves.get(this.#room.name)?.beganAnew(heard.sequence) === true;
    const goesOn = born === this.#born && missing === 0 && !anew;
    const known = goesOn ? this.#life : undefined;
    if (known === undefined) return this.#begin(heard, born, anew);
    if (known.unsaid.length > 0 && turnOf(heard) === this.#turn) return known;
    this.#think(known, heard);
    return known;
  }

  /** `anew` = its own stream had been lost: whoever speaks first has heard nothing of it. */
  #begin(heard: Heard, born: number, anew: boolean): Relife<World, Input, Act> {
    if (born !== this.#born || anew) {
      this.lives++;
      // Of the first life the beginning may be lost: it had not said all that stands before it.
      this.#isSure = this.lives > 1 || born === heard.sequence - 1 || heard.sequence === 1;
    }
    this.#born = born;
    const [first] = heard.quiet ?? [];
    const bounds = boundsOf(heard);
    const begun = first === undefined ? bounds : boundsAt(bounds, first.heard);
    const life = new Relife(this.#room, this.#shelves, begun, anew);
    this.#life = life;
    this.#think(life, heard);
    return life;
  }

  #think(life: Relife<World, Input, Act>, heard: Heard): void {
    this.#turn = turnOf(heard);
    const bounds = boundsOf(heard);
    for (const { atMs, heard: sequences } of heard.quiet ?? []) {
      this.#tellUnsaid(life, heard);
      const then = boundsAt(bounds, sequences);
      if (this.lives > 1 || this.isAhead(then)) life.think(then, atMs);
    }
    this.#tellUnsaid(life, heard);
    life.think(bounds, heard.atMs);
  }

  /** A life that goes on has said all that it concluded before. */
  #tellUnsaid(life: Relife<World, Input, Act>, before: Heard): void {
    for (const { event, said } of life.unsaid.splice(0)) {
      const what = `the rules conclude "${said}" on ${objectOf(event)}, which was never said`;
      this.#tell('missing', before, what);
    }
  }
}

/** What is known to be missing on the log was concluded before. */
function skip(unsaid: Saying[], heard: Heard, missing: number): void {
  const at = unsaid.findIndex((saying) => isSame(saying, heard));
  if (at > 0 && at <= missing) unsaid.splice(0, at);
}

/** A room's own words are heard as they are said. */
function isHeard(cause: Cause, marks: readonly Cause[], { stream, sequence }: Heard): boolean {
  if (cause.stream === stream) return cause.sequence < sequence;
  return marks.some((mark) => mark.stream === cause.stream && cause.sequence <= mark.sequence);
}

function changedWords(said: string, concluded: string): string {
  if (said === concluded) return `its event differs from what the rules conclude ("${said}")`;
  return `says "${said}"; the rules conclude "${concluded}"`;
}
