/** One life of a room: its world, from the first event that it hears to the end. */
import { type HeardBatch, StaleWriter } from '../core/door.ts';
import type { Heard, Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { handsOf } from './hands.ts';
import type { Inbox } from './inbox.ts';
import { Pace } from './pace.ts';
import type { Doors } from './run.ts';
import { type Stamped, Turns } from './turns.ts';
import type { Vitals } from './vitality.ts';

/** So many sayings do not wait for the rest of the turn; so many go first. */
export const PART = 100;
const FIRST = 16;

export class Life<World, Input, Act> {
  readonly #room: Room<World, Input, Act>;
  readonly #doors: Doors<Input, Act>;
  readonly #vitals: Vitals;
  readonly #inbox: Inbox<HeardBatch | readonly Input[]>;
  readonly #signal: AbortSignal;
  readonly #world: World;
  readonly #behind: Set<Speaker>;
  #last = 0;
  #spoken = false;
  readonly #pace: Pace;
  readonly #turns: Turns;
  readonly #act: (act: Act) => void;
  readonly #unsaid: Stamped[] = [];

  constructor(
    room: Room<World, Input, Act>,
    doors: Doors<Input, Act>,
    vitals: Vitals,
    inbox: Inbox<HeardBatch | readonly Input[]>,
    signal: AbortSignal,
  ) {
    this.#room = room;
    this.#doors = doors;
    this.#vitals = vitals;
    this.#inbox = inbox;
    this.#signal = signal;
    this.#world = room.fresh();
    vitals.readings = () => room.readings?.(this.#world) ?? [];
    this.#behind = new Set(room.hears);
    this.#pace = new Pace(doors.clock, doors.paceMs ?? 0, signal);
    this.#turns = new Turns(room.hears);
    this.#act = handsOf(room.name, doors, vitals, inbox, signal);
  }

  async live(): Promise<void> {
    for (;;) {
      const batches = await this.#inbox.take();
      if (this.#signal.aborted) return;
      const startedMs = this.#doors.clock.nowMs();
      for (const batch of batches) await this.#learn(batch);
      this.#vitals.caughtUp = this.#behind.size === 0;
      if (this.#behind.size > 0) continue;
      await this.#think();
      this.#vitals.waits = this.#room.waits(this.#world);
      if (this.#room.eager !== true) await this.#pace.rest(startedMs);
    }
  }

  async #learn(batch: HeardBatch | readonly Input[]): Promise<void> {
    const isHeard = 'stream' in batch;
    for (const one of isHeard ? batch.events : batch) {
      if (isHeard) this.#hear(one as Heard);
      else this.#room.sense(this.#world, one as Input);
      await this.#pace.breathe();
    }
    if (isHeard && batch.pending === 0) this.#behind.delete(batch.stream);
  }

  #hear(heard: Heard): void {
    if (heard.stream === this.#room.name) {
      if (heard.sequence <= this.#last) return;
      if (this.#spoken) throw new StaleWriter(`somebody else speaks as ${heard.stream}`);
      this.#last = heard.sequence;
      this.#vitals.last = heard.sequence;
    }
    this.#vitals.heard++;
    this.#turns.hear(heard.stream, heard.sequence);
    this.#room.fold(this.#world, heard);
  }

  /**
   * Decides until there is nothing more to say. A large turn is spoken part by part as it is made,
   * so that others begin early: each beginning of a turn is a legal state (law 6).
   */
  async #think(): Promise<void> {
    const startedMs = this.#doors.clock.nowMs();
    const does: Act[] = [];
    this.#begin();
    for (let worked = false; ; ) {
      const turn = this.#room.decide(this.#world);
      for (const saying of turn.says) this.#unsaid.push(this.#turns.stamp(saying));
      worked ||= turn.more;
      does.push(...turn.does);
      if (this.#room.eager === true) for (const act of does.splice(0)) this.#act(act);
      if (turn.more && this.#unsaid.length < PART) {
        await this.#pace.breathe();
        continue;
      }
      const quiet = !turn.more && (this.#unsaid.length === 0 || this.#mayWait());
      if (!quiet) await this.#speakAll();
      else if (this.#room.reach !== undefined) this.#turns.rest(worked);
      for (const act of does.splice(0)) this.#act(act);
      this.#vitals.decideMs = this.#doors.clock.nowMs() - startedMs;
      if (quiet || this.#signal.aborted) return;
      worked = false;
      this.#begin();
    }
  }

  #begin(): void {
    const nowMs = this.#doors.clock.nowMs();
    this.#room.reach?.(this.#world, nowMs);
    this.#turns.begin(nowMs);
  }

  /** An eager room tells what it did not at once, but a few things together. */
  #mayWait(): boolean {
    if (this.#room.eager !== true || this.#unsaid.length >= PART) return false;
    return this.#pace.mayWait(() => this.#inbox.put([]));
  }

  /** The first few go ahead: somebody can begin to write while the rest is on its way. */
  async #speakAll(): Promise<void> {
    const says = this.#unsaid.splice(0);
    for (const part of [says.slice(0, FIRST), says.slice(FIRST)])
      if (part.length > 0) await this.#speak(part);
    this.#pace.spoke();
  }

  async #speak(says: readonly Stamped[]): Promise<void> {
    const stream = this.#room.name;
    this.#spoken = true;
    const sequences = await this.#doors.log.speak(stream, says, this.#last, this.#signal);
    for (const [index, saying] of says.entries()) {
      const sequence = sequences[index] ?? this.#last;
      this.#last = sequence;
      this.#room.fold(this.#world, { stream, sequence, ...saying });
      await this.#pace.breathe();
    }
    this.#vitals.last = this.#last;
    this.#vitals.spoke += says.length;
  }
}
