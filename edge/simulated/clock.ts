/** A clock that stands still until it is told to go on. */
import type { Clock } from '../../core/door.ts';
import { type Activity, round } from './activity.ts';

/** Where time begins unless a rehearsal says otherwise. */
export const BEGINNING_MS = Date.UTC(2026, 0, 5, 10, 0, 0);

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

export class SimulatedClock implements Clock {
  readonly #activity: Activity;
  #nowMs: number;
  /** By time; those due at the same time in the order in which they lay down. */
  #sleepers: Sleeper[] = [];

  constructor(activity: Activity, beginningMs: number = BEGINNING_MS) {
    this.#activity = activity;
    this.#nowMs = beginningMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  breathe(): Promise<void> {
    return this.#activity.during(round);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    if (!(ms > 0)) return this.breathe();
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal.removeEventListener('abort', leave);
        this.#activity.note();
        resolve();
      };
      const sleeper: Sleeper = { dueMs: this.#nowMs + ms, wake: leave };
      const after = this.#sleepers.findLastIndex(({ dueMs }) => dueMs <= sleeper.dueMs);
      this.#sleepers.splice(after + 1, 0, sleeper);
      signal.addEventListener('abort', leave);
    });
  }

  /** Moves time on by `ms`; wakes sleepers one by one, and lets `rest` settle after each. */
  async advance(ms: number, rest: () => Promise<void>): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#sleepers[0];
      if (next === undefined || next.dueMs > endMs) break;
      this.#nowMs = next.dueMs;
      next.wake();
      await rest();
    }
    this.#nowMs = endMs;
  }
}
