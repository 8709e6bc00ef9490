/** Makes a failing seed as small as it can be: which faults and steps does the failure need? */
import type { Checker } from './checker.ts';
import { allCheckers } from './checkers/all.ts';
import { type Plan, planOf } from './plan.ts';
import { simulate } from './simulate.ts';

/** The shares and steps of a plan, counted through. */
export const sizeOf = (plan: Plan): number => plan.shares.length + plan.steps.length;

/**
 * Leaves out ever smaller parts (delta debugging) as long as the same judge still objects. Returns
 * what must be kept. `most` = how many runs this may take.
 */
export async function shrink(
  seed: number,
  checker: string,
  most = 300,
  checkers: () => readonly Checker[] = allCheckers,
): Promise<readonly number[]> {
  let kept = Array.from({ length: sizeOf(planOf(seed)) }, (_, index) => index);
  let runs = 0;
  const fails = async (keep: readonly number[]): Promise<boolean> => {
    runs++;
    const { failure } = await simulate(planOf(seed, new Set(keep)), undefined, checkers());
    return failure?.checker === checker;
  };
  for (let parts = 2; kept.length > 0 && runs < most; ) {
    const size = Math.ceil(kept.length / parts);
    let smaller: readonly number[] | undefined;
    for (let from = 0; from < kept.length && smaller === undefined && runs < most; from += size) {
      const rest = kept.filter((_, at) => at < from || at >= from + size);
      if (await fails(rest)) smaller = rest;
    }
    if (smaller !== undefined) {
      kept = [...smaller];
      parts = Math.max(2, parts - 1);
    } else if (size <= 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}
