/** How long to wait before the server is asked again. */

export interface PaceOptions {
  readonly backoffMs: number;
  readonly backoffCapMs: number;
}

/**
 * Doubles with each failure up to a cap, less a random part of up to half, so that the many who
 * lost the same server do not come back together.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #random: () => number;
  #failures = 0;
  #expired = false;

  constructor(options: PaceOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** What was asked for has worked for a good while. */
  steady(): void {
    this.#failures = 0;
    this.#expired = false;
  }

  /** Milliseconds to wait after a failure; never less than the server asked for. */
  failed(retryAfterMs: number): number {
    const { backoffMs, backoffCapMs } = this.#options;
    const full = Math.min(backoffCapMs, backoffMs * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    return Math.max(retryAfterMs, full * (1 - this.#random() / 2));
  }

  /**
   * Milliseconds to wait when what was known is too old (410): none, as listing again is the cure,
   * unless that has just been tried.
   */
  expired(): number {
    if (this.#expired) return this.failed(0);
    this.#expired = true;
    return 0;
  }
}
