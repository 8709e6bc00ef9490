/** What aws-sync counts for Prometheus. */
import type { Answer } from '../../core/cloud-door.ts';

export class Tally {
  /** By action and code. */
  readonly calls = new Map<string, { action: string; code: string; count: number }>();
  heldUpMs = 0;
  /** How often a source/destination check was turned off again after somebody had turned it on. */
  reverts = 0;
  wanted = 0;
  settled = 0;

  count({ calls, heldUpMs }: Answer<unknown>): void {
    this.heldUpMs += heldUpMs;
    for (const { action, code } of calls) {
      const key = `${action} ${code}`;
      const known = this.calls.get(key) ?? { action, code, count: 0 };
      known.count++;
      this.calls.set(key, known);
    }
  }
}
