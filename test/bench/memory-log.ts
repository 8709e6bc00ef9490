/**
 * A log in memory for one room under measurement: feeds facts, takes decisions, costs next to
 * nothing.
 */
import type { HeardBatch, Log } from '../../core/door.ts';
import type { Event, Heard, Saying, Speaker } from '../../core/event.ts';

/** As many events as the NATS door hands over at once. */
const BATCH = 1_000;

export class MemoryLog implements Log {
  readonly said: Saying[] = [];
  #sequence = 0;
  #waiting: Heard[] = [];
  #wake: () => void = () => undefined;
  #quiet: () => void = () => undefined;

  /** Puts facts on the watcher's stream; resolves when the room has come to rest. */
  async feed(events: readonly Event[]): Promise<void> {
    for (const event of events) this.#waiting.push(this.#heard(event));
    const quiet = new Promise<void>((done) => (this.#quiet = done));
    this.#wake();
    await quiet;
  }

  /** Hears when the room comes to rest. */
  rests(): void {
    if (this.#waiting.length === 0) this.#quiet();
  }

  #heard(event: Event): Heard {
    const sequence = ++this.#sequence;
    return { stream: 'watcher', sequence, atMs: sequence, causes: [], said: '', event };
  }

  async *hear(streams: readonly Speaker[], signal: AbortSignal): AsyncGenerator<HeardBatch> {
    for (const stream of streams)
      if (stream !== 'watcher') yield { stream, events: [], pending: 0 };
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      const events = this.#waiting.splice(0, BATCH);
      if (events.length > 0) yield { stream: 'watcher', events, pending: this.#waiting.length };
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }

  async speak(_: Speaker, says: readonly Saying[], last: number): Promise<readonly number[]> {
    this.said.push(...says);
    return says.map((_saying, index) => last + index + 1);
  }
}
