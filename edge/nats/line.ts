/** Whether the connection is there, for those who wait for it and those whom its loss cuts off. */
import { Unanswered } from './wire.ts';

export class Line {
  readonly #listeners = new Set<(connected: boolean) => void>();
  #connected = true;
  #closed: Error | undefined;

  connected(): boolean {
    return this.#connected;
  }

  change(connected: boolean): void {
    this.#connected = connected;
    for (const listener of [...this.#listeners]) listener(connected);
  }

  /** The connection will not come back. */
  end(reason: Error): void {
    this.#closed = reason;
    this.change(false);
  }

  /** Returns how to stop listening. */
  onChange(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once connected; rejects when `signal` aborts or the connection has ended. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#closed && !this.#connected) await this.#changed(signal);
    signal.throwIfAborted();
    if (this.#closed) throw this.#closed;
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        ignore();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const ignore = this.onChange(end);
      signal.addEventListener('abort', end);
    });
  }

  /** The answer, unless the connection breaks first: then Unanswered, without any timeout. */
  async orBroken<Answer>(asked: Promise<Answer>): Promise<Answer> {
    let ignore = () => {};
    const broken = new Promise<never>((_, reject) => {
      ignore = this.onChange(() => reject(new Unanswered('the connection broke')));
    });
    try {
      return await Promise.race([asked, broken]);
    } finally {
      ignore();
    }
  }
}
