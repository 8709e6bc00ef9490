/** One attempt to reach a node: it ends at its deadline, or when nobody wants to know any more. */

/** Saves the exception, with its stack, that an abort without a reason makes each time. */
export const OVER = 'over';

/** A timer that is later than this was held up by a busy event loop. */
const LATE_MS = 20;

export class Attempt {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #cancelled = false;

  /** From now on it may take `deadlineMs` milliseconds. */
  begin(deadlineMs: number): void {
    this.#endAt(performance.now() + deadlineMs, deadlineMs);
  }

  /**
   * Our own slowness must not make a node look dead: as late as the timer comes, so much longer the
   * attempt may take, at most twice its time; and what lies unread in the sockets is read first, by
   * one round of the event loop.
   */
  #endAt(dueMs: number, waitMs: number): void {
    this.#timer = setTimeout(() => {
      const lateMs = Math.min(performance.now() - dueMs, waitMs);
      if (lateMs > LATE_MS) this.#endAt(Infinity, lateMs);
      else setImmediate(() => this.#controller.abort(OVER));
    }, waitMs);
  }

  /** Aborts when the attempt is over for either reason. */
  get end(): AbortSignal {
    return this.#controller.signal;
  }

  /** Nobody waits for the answer: it says nothing about the node. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(): void {
    this.#cancelled = true;
    this.finish();
    this.#controller.abort(OVER);
  }

  /** The answer is there; the timer is not needed any more. */
  finish(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Cancels attempts when their caller's signal aborts. Thousands of attempts share one signal, and a
 * signal searches its listeners one by one: hence one listener for each signal.
 */
export class Callers {
  readonly #attempts = new Map<AbortSignal, Set<Attempt>>();

  hold(signal: AbortSignal, attempt: Attempt): void {
    if (signal.aborted) return attempt.cancel();
    const held = this.#attempts.get(signal);
    if (held !== undefined) return void held.add(attempt);
    this.#attempts.set(signal, new Set([attempt]));
    signal.addEventListener('abort', this.#cancelAll);
  }

  release(signal: AbortSignal, attempt: Attempt): void {
    const held = this.#attempts.get(signal);
    held?.delete(attempt);
    if (held?.size !== 0) return;
    this.#attempts.delete(signal);
    signal.removeEventListener('abort', this.#cancelAll);
  }

  readonly #cancelAll = (event: globalThis.Event): void => {
    const held = this.#attempts.get(event.target as AbortSignal) ?? [];
    for (const attempt of [...held]) attempt.cancel();
  };
}
