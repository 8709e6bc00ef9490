/** Why the addresses of a node are to leave it while it still works. */
import { DRAIN } from './annotation.ts';
import { listOf, property } from './json.ts';
import type { Labels } from './labels.ts';

/**
 * `annotation` = `sluice.dev/drain: "true"`, `taint KEY` = it has a taint of that key; '' = not.
 */
export type Drained = '' | 'annotation' | 'cordon' | `taint ${string}`;

/** Asks for nodes that `kubectl cordon` was told of; any other word of the setting is a taint. */
export const CORDON = 'cordon';

/**
 * The annotation counts always; of `drainOn` the first one counts, in the order as it is set, so
 * that a taint that comes beside another one is no news. Whatever the effect of a taint is.
 */
export function drainedBy(annotations: Labels, spec: unknown, drainOn: readonly string[]): Drained {
  if (annotations[DRAIN] === 'true') return 'annotation';
  if (drainOn.length === 0) return '';
  const taints = new Set(listOf(property(spec, 'taints')).map((taint) => property(taint, 'key')));
  const isSo = (one: string): boolean =>
    one === CORDON ? property(spec, 'unschedulable') === true : taints.has(one);
  const first = drainOn.find(isSo);
  if (first === undefined) return '';
  return first === CORDON ? CORDON : `taint ${first}`;
}

/** As it stands after `worker-3 is drained: `. */
export function sayDrained(why: Drained): string {
  if (why === CORDON) return 'cordoned';
  return why === 'annotation' ? 'annotated' : why;
}
