/** What is new about the policies of an EgressIP that cannot be read. */
import type { Notice } from '../../core/decision.ts';
import type { Decided } from './claim.ts';

/** Decisions of an earlier release know of none. */
const problemsOf = (decided: Decided | undefined): readonly string[] => decided?.problems ?? [];

const fresh = (before: Decided | undefined, now: Decided): readonly string[] =>
  problemsOf(now).filter((problem) => !problemsOf(before).includes(problem));

/** Whether the decision tells of these, and of no others. */
export function hasProblems(decided: Decided, problems: readonly string[]): boolean {
  return problemsOf(decided).join('\n') === problems.join('\n');
}

/** Each sentence is told once: when the annotation comes, or when its text changes. */
export function policyNotices(before: Decided | undefined, now: Decided): readonly Notice[] {
  return fresh(before, now).map((note) => ({ reason: 'InvalidAnnotation', type: 'Warning', note }));
}

/** The same as sentences of the tail, or that all can be read again. */
export function policyNews(before: Decided | undefined, now: Decided): readonly string[] {
  const healed = problemsOf(before).length > 0 && problemsOf(now).length === 0;
  return healed ? ['its annotations can be read again'] : fresh(before, now);
}
