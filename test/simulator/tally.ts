/** What many seeds have shown together. */
import { createHash } from 'node:crypto';
import { faultKinds } from './faults.ts';
import type { Outcome } from './simulate.ts';

/** What has to happen in some seeds; a run in which one never does tests less than it seems to. */
export const sometimes: readonly string[] = [
  'an address left a node',
  'an address moved to another node',
  'an address went to another EgressIP',
  'an address was refused, and placed later',
  'a room started anew',
  'a speaker was refused by the fence',
  'a write was held back by the fence',
  'another replica took over',
  'an older log was made void',
  'a watch went on where it had ended',
  'a list was asked for again',
  'a write failed and was tried again',
  'the prober doubted itself',
  'homes were adopted from the cluster',
  'two EgressIPs wanted one address',
];

export interface Failed {
  readonly seed: number;
  readonly checker: string;
  readonly sentence: string;
}

export class Tally {
  seeds = 0;
  jobs = 0;
  virtualMs = 0;
  readonly fired = new Map<string, number>();
  readonly failed: Failed[] = [];
  /** The SHA-256 of each seed's trace. */
  readonly traces = new Map<number, string>();

  add(seed: number, { failure, hash, jobs, virtualMs, fired }: Outcome): void {
    this.seeds++;
    this.traces.set(seed, hash);
    this.jobs += jobs;
    this.virtualMs += virtualMs;
    for (const [kind, count] of fired) this.fired.set(kind, (this.fired.get(kind) ?? 0) + count);
    if (failure === undefined) return;
    this.failed.push({ seed, checker: failure.checker, sentence: failure.sentence });
  }

  /** Takes over what another process has counted. */
  merge(other: Counted): void {
    this.seeds += other.seeds;
    this.jobs += other.jobs;
    this.virtualMs += other.virtualMs;
    for (const [kind, count] of other.fired)
      this.fired.set(kind, (this.fired.get(kind) ?? 0) + count);
    this.failed.push(...other.failed);
    for (const [seed, hash] of other.traces) this.traces.set(seed, hash);
  }

  /** What never happened, though it should have in so many seeds. */
  missing(): readonly string[] {
    const expected = [...faultKinds, ...sometimes.map((what) => `sometimes ${what}`)];
    return expected.filter((kind) => !this.fired.has(kind));
  }

  counted(): Counted {
    const { seeds, jobs, virtualMs, failed } = this;
    return { seeds, jobs, virtualMs, failed, fired: [...this.fired], traces: [...this.traces] };
  }

  /** One SHA-256 over the traces of all seeds in their order: the same seeds, the same digest. */
  digest(): string {
    const hash = createHash('sha256');
    for (const seed of [...this.traces.keys()].sort((a, b) => a - b))
      hash.update(this.traces.get(seed) ?? '');
    return hash.digest('hex');
  }

  /** `2000 seeds, 886 simulated hours, 40 kinds of faults befell 41,000 times`. */
  summary(): string {
    const befell = [...this.fired].filter(([kind]) => !kind.startsWith('sometimes'));
    const times = befell.reduce((sum, [, count]) => sum + count, 0);
    const hours = Math.round(this.virtualMs / 360_000) / 10;
    return (
      `${this.seeds} seeds, ${hours} simulated hours, ${this.jobs} steps of the scheduler, ` +
      `${befell.length} of ${faultKinds.length} kinds of faults befell somebody ${times} times`
    );
  }
}

export interface Counted {
  readonly seeds: number;
  readonly jobs: number;
  readonly virtualMs: number;
  readonly failed: readonly Failed[];
  readonly fired: readonly (readonly [string, number])[];
  readonly traces: readonly (readonly [number, string])[];
}
