/**
 * Node's clock, timers and random numbers, played: inside a simulated process they are the
 * scheduler's, everywhere else they are what they were. So the doors run as they ship.
 */
import { current, type Process } from './process.ts';
import type { Job } from './scheduler.ts';

/** What `setTimeout` returns inside a simulated process. */
class Timer {
  readonly #process: Process;
  readonly #ms: number;
  readonly #run: () => void;
  #job: Job | undefined;

  constructor(process: Process, ms: number, run: () => void) {
    this.#process = process;
    this.#ms = ms;
    this.#run = run;
    this.refresh();
  }

  refresh(): this {
    this.clear();
    const { scheduler } = this.#process;
    this.#job = scheduler.after(this.#ms, this.#process, 'timer', () => {
      this.#job = undefined;
      this.#run();
    });
    return this;
  }

  clear(): void {
    if (this.#job !== undefined) this.#job.cancelled = true;
    this.#job = undefined;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: Date.now,
  random: Math.random,
  monotonic: performance.now.bind(performance),
};

type Run = (...args: unknown[]) => void;

const played = {
  setTimeout: (run: Run, ms = 0, ...args: unknown[]): unknown => {
    const process = current.getStore();
    if (process === undefined) return real.setTimeout(run, ms, ...args);
    return new Timer(process, ms, () => run(...args));
  },
  clearTimeout: (timer: unknown): void => {
    if (timer instanceof Timer) timer.clear();
    else real.clearTimeout(timer as NodeJS.Timeout);
  },
  setImmediate: (run: Run, ...args: unknown[]): unknown => {
    const process = current.getStore();
    if (process === undefined) return real.setImmediate(run, ...args);
    return process.scheduler.after(0, process, 'breath', () => run(...args));
  },
};

let installed = false;

/** May be called any number of times. */
export function playGlobals(): void {
  if (installed) return;
  installed = true;
  Object.assign(globalThis, played);
  Date.now = () => current.getStore()?.nowMs() ?? real.now();
  Math.random = () => current.getStore()?.draw.next() ?? real.random();
  performance.now = () => current.getStore()?.scheduler.nowMs ?? real.monotonic();
}
