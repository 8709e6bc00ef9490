/** Makes a failing seed as small as it can be: which faults and steps does the failure need? */
import type { Checker } from './checker.ts';
import { allCheckers } from './checkers/all.ts';
import { fewest } from './fewest.ts';
import { type Plan, planOf } from './plan.ts';
import { simulate } from './simulate.ts';

/** The shares and steps of a plan, counted through. */
export const sizeOf = (plan: Plan): number => plan.shares.length + plan.steps.length;

/** As long as the same judge still objects. `most` = how many runs this may take. */
export function shrink(
  seed: number,
  checker: string,
  most = 300,
  checkers: () => readonly Checker[] = allCheckers,
): Promise<readonly number[]> {
  return fewest(sizeOf(planOf(seed)), most, async (keep) => {
    const { failure } = await simulate(planOf(seed, keep), undefined, checkers());
    return failure?.checker === checker;
  });
}
