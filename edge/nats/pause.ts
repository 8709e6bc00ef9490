/** Waiting: with jitter, so that replicas do not knock in step, and only while it is wanted. */

const longestMs = 2_000;

/** Waits before the next attempt: not after the first failure, then up to 50 ms doubling to 2 s. */
export function backOff(failures: number, signal: AbortSignal): Promise<void> {
  const ceilingMs = failures === 0 ? 0 : Math.min(longestMs, 25 * 2 ** failures);
  return pause(ceilingMs * (0.5 + Math.random() / 2), signal);
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** Lets everything that has arrived by now be handled first. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Wakes one sleeper; a ring that nobody awaited yet is kept. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async rung(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#rung = false;
    this.#wake = undefined;
  }
}
