/** Sieve's method: learn what happens in a scenario, then let one thing go wrong at each point. */
import { type Aim, harmsAt, type Point } from '../points.ts';
import { play, type Run } from './play.ts';
import { routingScenarios } from './routing-scenarios.ts';
import { type Scenario, scenarios } from './scenarios.ts';

export const allScenarios: readonly Scenario[] = [...scenarios, ...routingScenarios];

/**
 * So many plans there are at least, those that cannot matter included; fewer would mean that
 * something is not tried any more. It is less than what is counted: a room that needs fewer writes
 * has fewer points.
 */
export const LEAST_PLANS = 6_800;

/** Every harm at every point that the scenario itself had when nothing went wrong. */
export const allPlansOf = ({ trail }: Run): readonly Aim[] =>
  trail.flatMap(({ point, index }) => harmsAt[point].map((harm) => ({ point, index, harm })));

/**
 * Those of them that can matter. Left out are
 * - what befalls a room's own words as it hears them: it has folded them when they were on the
 *   log, and drops them here (`edge/life.ts`); to die then is to die after having spoken;
 * - a death after something was heard or seen, when the process hears or sees more before it
 *   writes, calls or speaks again: what it learned is in its memory only, so the last death before
 *   the next effect stands for those before it.
 */
export function plansOf({ trail }: Run): readonly Aim[] {
  const steps = trail.filter(({ echo }) => !echo);
  return steps.flatMap(({ point, index, by }, at) => {
    const next = isSense(point)
      ? steps.find((one, place) => place > at && one.by === by)
      : undefined;
    const harms = harmsAt[point].filter(
      (harm) => harm !== 'crash' || next === undefined || !isSense(next.point),
    );
    return harms.map((harm): Aim => ({ point, index, harm }));
  });
}

const isSense = (point: Point): boolean => point === 'event' || point === 'heard';

/** `crash at write 12`: how a plan is called, and asked for. */
export const nameOf = ({ harm, point, index }: Aim): string => `${harm} at ${point} ${index}`;

/** What is wrong with how a disturbed run ended; '' = nothing. */
export function wrongIn(run: Run, reference: Run): string {
  if (!run.struck) return 'was never reached';
  if (run.failure !== undefined) return told(run);
  return run.end === reference.end ? '' : `ends ${run.end}, not ${reference.end}`;
}

/** The undisturbed run has failed: what went wrong; '' = it has not. */
export const told = ({ failure }: Run): string =>
  failure === undefined ? '' : `${failure.checker}: ${failure.sentence}`;

export interface Sifted {
  /** All plans, those that cannot matter included. */
  readonly plans: number;
  readonly wrong: readonly string[];
}

/** Every `stride`th plan of a scenario. */
export async function sift(scenario: Scenario, stride: number): Promise<Sifted> {
  const reference = await play(scenario);
  const failed = told(reference);
  const wrong = failed === '' ? [] : [`undisturbed: ${failed}`];
  for (const aim of plansOf(reference).filter((_, at) => at % stride === 0)) {
    const why = wrongIn(await play(scenario, { aim, end: reference.end }), reference);
    if (why !== '') wrong.push(`${nameOf(aim)}: ${why}`);
  }
  return { plans: allPlansOf(reference).length, wrong };
}
