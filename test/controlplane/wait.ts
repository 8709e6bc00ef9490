/** Waiting for something to become true, with a deadline and a reason. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Waiting {
  readonly withinMs: number;
  /** How often to look again. */
  readonly everyMs?: number;
  /** What to add to the error when time is up, such as the end of a log. */
  readonly detail?: () => string;
}

/**
 * Looks until `look` gives something other than undefined or false, and returns that. Throws
 * `<what> did not happen within <n> s` when time is up; what `look` throws ends the waiting.
 */
export async function eventually<T>(
  what: string,
  waiting: Waiting,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = Date.now() + waiting.withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) {
      const detail = waiting.detail?.() ?? '';
      throw new Error(`"${what}" is not so after ${waiting.withinMs / 1000} s${detail}`);
    }
    await sleep(waiting.everyMs ?? 25);
  }
}
