/** A clock that jumps from one moment that somebody waits for to the next. */
import type { Clock } from '../../core/door.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export class JumpingClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { dueMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  breathe(): Promise<void> {
    return Promise.resolve();
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** When the next sleeper wakes; Infinity = nobody sleeps. */
  get nextMs(): number {
    return Math.min(...this.#sleepers.map(({ dueMs }) => dueMs));
  }

  jump(toMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, toMs);
    const due = this.#sleepers.filter(({ dueMs }) => dueMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter(({ dueMs }) => dueMs > this.#nowMs);
    for (const { wake } of due) wake();
  }
}
