/** How long anything is on its way. */
import type { Draw } from './draw.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';

export class Network {
  readonly #draw: Draw;
  readonly #faults: Faults;
  /** Without chance, for runs that are compared with each other. */
  steadyMs: number | undefined;

  constructor(draw: Draw, faults: Faults) {
    this.#draw = draw;
    this.#faults = faults;
  }

  latencyMs(): number {
    if (this.steadyMs !== undefined) return this.steadyMs;
    if (this.#faults.befalls('network slow')) return this.#draw.between(100, 3_000);
    return 0.2 + this.#draw.next() * 5;
  }

  /** To a server: it arrives even when its sender has died since. */
  go(process: Process, what: string, extraMs = 0): Promise<void> {
    return new Promise((resolve) => {
      const ms = this.latencyMs() + extraMs;
      process.scheduler.after(ms, undefined, `${process.name} ${what}`, resolve);
    });
  }

  /** Back to the process: it waits while that is paused, and is lost when that is dead. */
  back(process: Process, what: string, extraMs = 0): Promise<void> {
    return new Promise((resolve) => {
      process.scheduler.after(this.latencyMs() + extraMs, process, what, resolve);
    });
  }
}
