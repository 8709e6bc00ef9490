/** Claims that wait for their step, seniors first; never is all sorted at once (law: 20 ms). */
import { bySeniority, type Claim } from './claim.ts';

/** Claims in order, of which so many were taken. */
interface Run {
  readonly claims: Claim[];
  taken: number;
}

/** Some sorted runs, merged as they are taken; most often all comes in order, and is one run. */
export class Queue {
  #runs: Run[] = [];
  size = 0;

  /** A few hundred at a time: these are sorted at once. */
  add(claims: readonly Claim[]): void {
    const sorted = claims.toSorted(bySeniority);
    const [first] = sorted;
    if (first === undefined) return;
    this.size += sorted.length;
    const run = this.#runs.at(-1);
    const last = run?.claims.at(-1);
    if (run !== undefined && last !== undefined && bySeniority(last, first) <= 0)
      run.claims.push(...sorted);
    else this.#runs.push({ claims: sorted, taken: 0 });
  }

  /** The most senior one. */
  take(): Claim | undefined {
    let best: Run | undefined;
    let senior: Claim | undefined;
    for (const run of this.#runs) {
      const claim = run.claims[run.taken];
      if (claim === undefined || (senior !== undefined && bySeniority(senior, claim) <= 0))
        continue;
      best = run;
      senior = claim;
    }
    if (best === undefined) return undefined;
    best.taken++;
    this.size--;
    if (best.taken === best.claims.length) this.#runs = this.#runs.filter((run) => run !== best);
    return senior;
  }
}
