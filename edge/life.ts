/** One life of a room: its world, from the first event that it hears to the end. */
import { type HeardBatch, StaleWriter } from '../core/door.ts';
import type { Heard, Saying, Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import type { Inbox } from './inbox.ts';
import { Pace } from './pace.ts';
import type { Doors } from './run.ts';
import type { Vitals } from './vitality.ts';

/** So many sayings do not wait for the rest of the turn; so many go first. */
const PART = 100;
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
  readonly #unsaid: Saying[] = [];

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
    if (!('stream' in batch)) return this.#sense(batch);
    for (const heard of batch.events) {
      this.#hear(heard);
      await this.#pace.breathe();
    }
    if (batch.pending === 0) this.#behind.delete(batch.stream);
  }

  async #sense(inputs: readonly Input[]): Promise<void> {
    for (const input of inputs) {
      this.#room.sense(this.#world, input);
      await this.#pace.breathe();
    }
  }

  #hear(heard: Heard): void {
    if (heard.stream === this.#room.name) {
      if (heard.sequence <= this.#last) return;
      if (this.#spoken) throw new StaleWriter(`somebody else speaks as ${heard.stream}`);
      this.#last = heard.sequence;
      this.#vitals.last = heard.sequence;
    }
    this.#vitals.heard++;
    this.#room.fold(this.#world, heard);
  }

  /**
   * Decides until there is nothing more to say. A large turn is spoken part by part as it is made,
   * so that others begin early: each beginning of a turn is a legal state (law 6).
   */
  async #think(): Promise<void> {
    const startedMs = this.#doors.clock.nowMs();
    const does: Act[] = [];
    for (;;) {
      const turn = this.#room.decide(this.#world);
      this.#unsaid.push(...turn.says);
      does.push(...turn.does);
      if (this.#room.eager === true) for (const act of does.splice(0)) this.#act(act);
      if (turn.more && this.#unsaid.length < PART) {
        await this.#pace.breathe();
        continue;
      }
      const quiet = !turn.more && (this.#unsaid.length === 0 || this.#mayWait());
      if (!quiet) await this.#speakAll();
      for (const act of does.splice(0)) this.#act(act);
      this.#vitals.decideMs = this.#doors.clock.nowMs() - startedMs;
      if (quiet || this.#signal.aborted) return;
    }
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

  async #speak(says: readonly Saying[]): Promise<void> {
    const { log, clock } = this.#doors;
    const stream = this.#room.name;
    this.#spoken = true;
    const sequences = await log.speak(stream, says, this.#last, this.#signal);
    const atMs = clock.nowMs();
    for (const [index, saying] of says.entries()) {
      const sequence = sequences[index] ?? this.#last;
      this.#last = sequence;
      this.#room.fold(this.#world, { stream, sequence, atMs, ...saying });
      await this.#pace.breathe();
    }
    this.#vitals.last = this.#last;
    this.#vitals.spoke += says.length;
  }

  #act(act: Act): void {
    const { perform } = this.#doors;
    if (perform === undefined) throw new Error(`${this.#room.name} has no hands`);
    this.#vitals.acting++;
    const done = perform(act, this.#signal).then(
      (input) => this.#inbox.put([input]),
      (error: unknown) => this.#inbox.fail(error),
    );
    void done.finally(() => this.#vitals.acting--);
  }
}
