/** Starts work in small slices, so that a sweep over thousands of nodes does not block others. */

/** A slice; the law of the house is 20 ms at most, and others want their share of it. */
const SLICE_MS = 5;

type Start = () => void;

/** First come, first served, but whoever is urgent goes before all who are not. */
export class Pace {
  #urgent: Start[] = [];
  #waiting: Start[] = [];
  #scheduled = false;

  /** Runs `work` when its turn has come; rejects as `work` does. */
  run<T>(work: () => Promise<T>, urgent: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const queue = urgent ? this.#urgent : this.#waiting;
      queue.push(() => {
        work().then(resolve, reject);
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#slice());
  }

  #slice(): void {
    const untilMs = performance.now() + SLICE_MS;
    this.#scheduled = false;
    this.#urgent = startSome(this.#urgent, untilMs);
    this.#waiting = startSome(this.#waiting, untilMs);
    if (this.#urgent.length + this.#waiting.length > 0) this.#schedule();
  }
}

/** Starts what there is time for, and returns the rest. */
function startSome(queue: Start[], untilMs: number): Start[] {
  let started = 0;
  while (started < queue.length && performance.now() < untilMs) queue[started++]?.();
  return queue.slice(started);
}
