/** The door of a room that asks for time and nothing else: it is woken when it asked to be. */
import type { Clock } from '../core/door.ts';
import type { Now, Wake } from '../core/wake.ts';

export function wakePerform(clock: Clock): (act: Wake, signal: AbortSignal) => Promise<Now> {
  return async ({ atMs }, signal) => {
    await clock.sleep(Math.max(0, atMs - clock.nowMs()), signal);
    return { kind: 'Now', nowMs: clock.nowMs() };
  };
}
