/** The clocks by which the holder of a lease tells how long ago it renewed it. */
import { sleep } from './clock.ts';

/** Both are asked: one stands still while the machine is suspended, the other can be set. */
export interface LeaseClock {
  monotonicMs(): number;
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const usualClock: LeaseClock = {
  monotonicMs: () => performance.now(),
  nowMs: Date.now,
  sleep,
};
