/**
 * Whether an object is as wanted: whatever is wanted is there. What the server adds, its defaults,
 * is not looked at; what others add is for the publisher to find.
 */
import { isObject, parseJson, property } from '../../core/json.ts';
import type { Labels } from '../../core/labels.ts';
import type { ManagedObject } from '../../core/managed.ts';

/** Objects may have more members, lists may not; a map of labels must be the same. */
export function isContained(wanted: unknown, seen: unknown, key = ''): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(seen) &&
      wanted.length === seen.length &&
      wanted.every((one, index) => isContained(one, seen[index]))
    );
  if (!isObject(wanted)) return wanted === seen;
  // An empty object may be left out by whoever stores it.
  if (seen === undefined) return Object.keys(wanted).length === 0;
  if (!isObject(seen)) return false;
  const keys = Object.keys(wanted);
  if (key === 'matchLabels' && Object.keys(seen).length !== keys.length) return false;
  return keys.every((name) => isContained(wanted[name], property(seen, name), name));
}

export interface Wanted {
  readonly labels: Labels;
  readonly dropped: readonly string[];
  /** Canonical JSON. */
  readonly spec: string;
}

export function isAsWanted({ labels, dropped, spec }: Wanted, seen: ManagedObject): boolean {
  if (seen.deleting) return false;
  if (dropped.some((key) => Object.hasOwn(seen.labels, key))) return false;
  if (Object.keys(labels).some((key) => seen.labels[key] !== labels[key])) return false;
  return spec === seen.spec || isContained(parseJson(spec), parseJson(seen.spec));
}
