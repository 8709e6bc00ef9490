/** A clock that a test moves by hand; who sleeps wakes when it has been moved far enough. */
import type { Clock } from '../../core/door.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export class HandClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  /** Real time at first, so that what SDKs compute from expiry times makes sense. */
  constructor(beginningMs: number = Date.now()) {
    this.#nowMs = beginningMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || ms <= 0) return resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#sleepers.push({ dueMs: this.#nowMs + ms, wake: resolve });
    });
  }

  breathe(): Promise<void> {
    return Promise.resolve();
  }

  /** How many sleep: a test waits for one before it moves time. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#sleepers.filter(({ dueMs }) => dueMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter(({ dueMs }) => dueMs > this.#nowMs);
    for (const { wake } of due) wake();
  }
}
