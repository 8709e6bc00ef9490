/** What OVN-Kubernetes says of an object of ours, as far as it is about what is there now. */
import type { ManagedObject } from '../../core/managed.ts';
import type { Waits } from './condition.ts';

/** No report at all within this time blocks nothing (`docs/bgp.md`). */
export const REPORT_MS = 60_000;

export interface Report {
  /** `silent`: nothing was said for too long. */
  readonly state: 'fine' | 'waiting' | 'silent' | 'bad';
  /** Its own words. */
  readonly words: string;
}

/** `passing` are reasons that pass by themselves: they count as bad after a while only. */
export function reportOf(
  seen: ManagedObject,
  type: string,
  waits: Waits,
  on: string,
  passing: readonly string[] = [],
): Report {
  const said = seen.conditions.find((one) => one.type === type);
  const current = said === undefined || isCurrent(said.observedGeneration, seen.generation);
  const words = said === undefined ? '' : said.message || said.reason;
  if (said?.status === 'True' && current) return { state: 'fine', words };
  const failed = said?.status === 'False' && current;
  if (failed && !passing.includes(said.reason)) return { state: 'bad', words };
  if (!waits.isOver(on, REPORT_MS)) return { state: 'waiting', words };
  return { state: failed ? 'bad' : 'silent', words };
}

/** A condition without a generation is about whatever is there. */
const isCurrent = (observed: number, generation: number): boolean =>
  observed === 0 || observed >= generation;
