/** Counts what goes on behind the simulated doors, so that rest can be told from work. */

/** One round of the event loop: everything that can go on by itself has gone on. */
export const round = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Rounds without any progress after which nobody has anything to do. */
const QUIET_ROUNDS = 3;

export class Activity {
  #progress = 0;
  #underWay = 0;

  /** Something happened: an event was delivered, a sleeper woke, an answer was given. */
  note(): void {
    this.#progress++;
  }

  /** A call that ends by itself; whoever waits for news is at rest and does not use this. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#progress++;
    }
  }

  /**
   * Returns when nobody has anything to do at this moment of virtual time.
   * @throws Error when that is not so after `most` rounds: an endless loop.
   */
  async rest(most: number): Promise<void> {
    let quiet = 0;
    for (let rounds = 0; quiet < QUIET_ROUNDS; rounds++) {
      if (rounds >= most) throw new Error(`does not come to rest within ${most} rounds`);
      const before = this.#progress;
      await round();
      quiet = this.#underWay === 0 && this.#progress === before ? quiet + 1 : 0;
    }
  }
}

/** Wakes all who wait for news. */
export class Bell {
  readonly #wakers = new Set<() => void>();

  ring(): void {
    const wakers = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of wakers) wake();
  }

  /** Resolves at the next ring, or when the signal aborts. */
  rung(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#wakers.delete(wake);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.#wakers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
