/** Joins bgp to the clock: it is woken when it asked to be. */
import type { Clock } from '../../core/door.ts';
import type { Act, Input } from './input.ts';

export function bgpPerform(clock: Clock): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async ({ atMs }, signal) => {
    await clock.sleep(Math.max(0, atMs - clock.nowMs()), signal);
    return { kind: 'Now', nowMs: clock.nowMs() };
  };
}
