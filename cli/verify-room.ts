/** What a room said, compared with what it concludes when it lives again on the same log. */
import type { Cause, Heard, Speaker } from '../core/event.ts';
import { count } from '../core/say.ts';
import type { Room } from '../core/room.ts';
import { type Finding, findingOn, isSame, objectOf } from './verify-finding.ts';
import { Relife, type Standing } from './verify-life.ts';
import { Shelf } from './verify-shelf.ts';

export interface Verified {
  readonly room: Speaker;
  readonly decisions: number;
  /** Between restarts, as far as they said something. */
  readonly lives: number;
  /** Said without telling what had been heard, or from facts before the beginning: no verdict. */
  readonly older: number;
  /** The first decision that was compared. */
  readonly from: Heard | undefined;
}

/** Hears a log, each stream in its order, whatever the order between them. */
export class Verification<World, Input, Act> {
  readonly findings: Finding[] = [];
  readonly #room: Room<World, Input, Act>;
  readonly #own: Shelf;
  readonly #shelves: ReadonlyMap<Speaker, Shelf>;
  /** What the room said and waits for the facts that it had heard. */
  readonly #waiting: Heard[] = [];
  #life: Relife<World, Input, Act> | undefined = undefined;
  #born = -1;
  #turn = '';
  /** So many of its sayings are missing before the one that is looked at. */
  readonly #missing = new Map<Heard, number>();
  #decisions = 0;
  #lives = 0;
  #older = 0;
  #from: Heard | undefined = undefined;

  constructor(room: Room<World, Input, Act>) {
    this.#room = room;
    this.#shelves = new Map(room.hears.map((stream) => [stream, new Shelf(stream)]));
    this.#own = this.#shelves.get(room.name) ?? new Shelf(room.name);
  }

  get verified(): Verified {
    const [decisions, lives, older] = [this.#decisions, this.#lives, this.#older];
    return { room: this.#room.name, decisions, lives, older, from: this.#from };
  }

  /** What was said before the replay begins, the last event of each subject in order. */
  begin(heard: Heard): void {
    this.#shelves.get(heard.stream)?.begin(heard);
    if (heard.stream === this.#room.name) this.#turn = turnOf(heard);
  }

  hear(heard: Heard): void {
    const shelf = this.#shelves.get(heard.stream);
    if (shelf === undefined || heard.sequence <= shelf.read) return;
    const missing = shelf.put(heard);
    if (missing > 0) this.#tellGap(heard, missing);
    if (shelf === this.#own) this.#waiting.push(heard);
    while (this.#waiting[0] !== undefined && this.#isComplete(this.#waiting[0])) this.#next();
  }

  /** Nothing more comes: what still waits was concluded from facts that are not there. */
  end(): void {
    for (const heard of this.#waiting) {
      const absent = standingOf(heard).find(([stream, to]) => to > this.#readOf(stream));
      if (absent === undefined) continue;
      const what = `it had heard ${absent.join(' ')}, which is not on the log`;
      this.findings.push(findingOn('gap', heard, what));
    }
    while (this.#waiting.length > 0) this.#next();
  }

  #tellGap(heard: Heard, missing: number): void {
    const events = `${count(missing, 'event')} of the ${heard.stream}`;
    this.findings.push(findingOn('gap', heard, `${events} before it are not on the log`));
    if (heard.stream === this.#own.stream) this.#missing.set(heard, missing);
  }

  #takenOf = (stream: Speaker): number => this.#shelves.get(stream)?.at ?? 0;
  #readOf = (stream: Speaker): number => this.#shelves.get(stream)?.read ?? 0;

  #isComplete(heard: Heard): boolean {
    return standingOf(heard).every(([stream, to]) => to <= this.#readOf(stream));
  }

  #next(): void {
    const heard = this.#waiting.shift();
    if (heard === undefined) return;
    if (this.#isBefore(heard)) this.#older++;
    else if (heard.heard !== undefined) this.#compare(heard, heard.heard);
    else this.#refuse(heard, 'it does not tell what had been heard');
    this.#own.advance(heard.sequence);
  }

  /** Without a word of what had been heard, from facts before the beginning, or in the same turn. */
  #isBefore(heard: Heard): boolean {
    if (this.#from !== undefined) return false;
    if (heard.heard === undefined) return true;
    return turnOf(heard) === this.#turn || !this.#isAhead(new Map(standingOf(heard)));
  }

  #compare(heard: Heard, marks: readonly Cause[]): void {
    this.#from ??= heard;
    this.#decisions++;
    const stale = heard.causes.find((cause) => !isHeard(cause, marks, heard));
    if (stale !== undefined)
      this.#refuse(heard, `its cause ${stale.stream} ${stale.sequence} had not been heard`);
    const life = this.#follow(heard);
    this.#skipMissing(life, heard);
    const [first] = life.unsaid;
    if (first !== undefined && objectOf(first.event) === objectOf(heard.event)) {
      if (!isSame(first, heard))
        this.findings.push(findingOn('changed', heard, changedWords(heard.said, first.said)));
      return life.say(heard);
    }
    this.#refuse(heard, 'on what had been heard, the rules conclude nothing of the kind');
    this.#life = undefined;
  }

  #refuse(heard: Heard, what: string): void {
    this.findings.push(findingOn('unexplained', heard, `says "${heard.said}"; ${what}`));
  }

  /** The life that says this, brought to the turn in which it said it. */
  #follow(heard: Heard): Relife<World, Input, Act> {
    const standing: Standing = new Map(standingOf(heard));
    const born = standing.get(this.#room.name) ?? 0;
    if (born !== this.#born || this.#life === undefined || this.#missing.has(heard))
      return this.#live(heard, standing, born);
    if (this.#life.unsaid.length > 0 && turnOf(heard) === this.#turn) return this.#life;
    this.#think(this.#life, heard, standing);
    return this.#life;
  }

  #live(heard: Heard, standing: Standing, born: number): Relife<World, Input, Act> {
    if (born !== this.#born) this.#lives++;
    this.#born = born;
    const [first] = heard.quiet ?? [];
    const begun = first === undefined ? standing : standingAt(standing, first.heard);
    const life = new Relife(this.#room, this.#shelves, begun);
    this.#life = life;
    this.#think(life, heard, standing);
    return life;
  }

  #think(life: Relife<World, Input, Act>, heard: Heard, standing: Standing): void {
    this.#turn = turnOf(heard);
    for (const { atMs, heard: sequences } of heard.quiet ?? []) {
      this.#tellUnsaid(life, heard);
      const then = standingAt(standing, sequences);
      if (this.#isAhead(then)) life.think(then, atMs);
    }
    this.#tellUnsaid(life, heard);
    life.think(standing, heard.atMs);
  }

  /** Whether it is not past yet: a replay may begin in the middle of a life. */
  #isAhead(standing: Standing): boolean {
    return standing
      .entries()
      .every(([stream, to]) => stream === this.#room.name || to >= this.#takenOf(stream));
  }

  /** A life that goes on has said all that it concluded before. */
  #tellUnsaid(life: Relife<World, Input, Act>, before: Heard): void {
    for (const { event, said } of life.unsaid.splice(0)) {
      const what = `the rules conclude "${said}" on ${objectOf(event)}, which was never said`;
      this.findings.push(findingOn('missing', before, what));
    }
  }

  #skipMissing({ unsaid }: Relife<World, Input, Act>, heard: Heard): void {
    const missing = this.#missing.get(heard) ?? 0;
    const at = unsaid.findIndex((saying) => isSame(saying, heard));
    if (at > 0 && at <= missing) unsaid.splice(0, at);
    this.#missing.delete(heard);
  }
}

/** What is said in one turn is concluded at one time, from the same. */
const turnOf = ({ atMs, heard }: Heard): string => JSON.stringify([atMs, heard]);

const standingOf = ({ heard = [] }: Heard): (readonly [Speaker, number])[] =>
  heard.map(({ stream, sequence }) => [stream, sequence]);

const standingAt = (standing: Standing, sequences: readonly number[]): Standing =>
  new Map([...standing.keys()].map((stream, index) => [stream, sequences[index] ?? 0]));

/** A room's own words are heard as they are said. */
function isHeard(cause: Cause, marks: readonly Cause[], { stream, sequence }: Heard): boolean {
  if (cause.stream === stream) return cause.sequence < sequence;
  return marks.some((mark) => mark.stream === cause.stream && cause.sequence <= mark.sequence);
}

function changedWords(said: string, concluded: string): string {
  if (said === concluded) return `its event differs from what the rules conclude ("${said}")`;
  return `says "${said}"; the rules conclude "${concluded}"`;
}
