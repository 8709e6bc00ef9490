/** What the publisher counts for Prometheus. */
import type { Refusal } from '../../core/decision.ts';
import type { Result } from './input.ts';

/** Upper bounds in seconds: a write takes milliseconds, a struggling API server takes seconds. */
export const bounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Tally {
  readonly writes = new Map<Result, number>();
  /**
   * How many writes took at most as long as the bound of the same index, and not the one before.
   */
  readonly took: number[] = bounds.map(() => 0);
  tookSeconds = 0;
  timed = 0;
  foreign = 0;
  /** Addresses that have a node, and those that have none by reason. */
  placed = 0;
  readonly unassigned = new Map<string, number>();
  /** Upstream's counters (`spec/egressip.md` 8.2). */
  moved = 0;
  unreachable = 0;

  wrote(result: Result, tookMs: number): void {
    add(this.writes, result, 1);
    const seconds = tookMs / 1000;
    const index = bounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) this.took[index] = (this.took[index] ?? 0) + 1;
    this.tookSeconds += seconds;
    this.timed++;
  }

  refused(refusals: readonly Refusal[], by: 1 | -1): void {
    for (const { reason } of refusals) if (reason !== 'Doubled') add(this.unassigned, reason, by);
  }
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
