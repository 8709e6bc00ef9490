/** The clock of this machine: the only place that reads the time or waits for it. */
import type { Clock } from '../core/door.ts';

/** Node turns a longer timeout into 1 ms, so a longer sleep is slept in parts. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

export function openClock(): Clock {
  return { nowMs: Date.now, sleep, breathe };
}

/** Resolves after `ms` milliseconds, or at once when `signal` aborts; leaves nothing behind. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= LONGEST_TIMEOUT_MS) {
    await nap(Math.min(left, LONGEST_TIMEOUT_MS), signal);
  }
}

function nap(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
}

/** Lets the event loop serve sockets and timers once. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
