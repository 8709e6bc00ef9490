/**
 * Collects what arrives from several sources while a room is busy; the room takes it all at once.
 */

/** A source waits when this many batches have not been taken: memory stays bounded. */
const BOUND = 256;

export class Inbox<T> {
  #items: T[] = [];
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;
  #drained: () => void = () => undefined;
  #room: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      this.#wake();
      this.#drained();
    });
    this.#signal = signal;
  }

  readonly #signal: AbortSignal;

  put(item: T): void {
    this.#items.push(item);
    if (this.#items.length === BOUND) this.#room = new Promise((done) => (this.#drained = done));
    this.#wake();
  }

  /** What went wrong at a source is thrown at whoever takes next. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  async pump(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const item of source) {
        this.put(item);
        if (this.#items.length >= BOUND) await this.#room;
        if (this.#signal.aborted) return;
      }
      if (!this.#signal.aborted) this.fail(new Error('a source ended by itself'));
    } catch (error) {
      if (!this.#signal.aborted) this.fail(error);
    }
  }

  /** Everything that has arrived; waits for the first. Nothing when the signal aborts. */
  async take(): Promise<readonly T[]> {
    while (this.#items.length === 0 && this.#failure === undefined && !this.#signal.aborted)
      await new Promise<void>((wake) => (this.#wake = wake));
    if (this.#failure !== undefined) throw this.#failure.error;
    const items = this.#items;
    this.#items = [];
    this.#drained();
    return items;
  }
}
