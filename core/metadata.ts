/** What stands in the metadata of Kubernetes objects, and in their conditions, always in order. */
import { isObject, listOf, property, textOf } from './json.ts';
import type { Labels } from './labels.ts';
import type { SeenCondition } from './managed.ts';

/** A map of texts with its keys in order. */
export function textsOf(value: unknown): Labels {
  if (!isObject(value)) return {};
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, String(value[key])]));
}

/** Those of the texts that are named, in the order of the names. */
export function pick(value: unknown, keys: readonly string[]): Labels {
  const all = textsOf(value);
  const present = keys.filter((key) => Object.hasOwn(all, key));
  return Object.fromEntries(present.map((key) => [key, all[key] ?? '']));
}

/** Milliseconds since 1970; 0 where there is no time. */
export const momentOf = (time: unknown): number => Date.parse(textOf(time)) || 0;

/** A whole number; 0 where there is none. */
export const wholeOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;

/** Whether the object has a deletion timestamp. */
export const isDeleting = (metadata: unknown): boolean =>
  textOf(property(metadata, 'deletionTimestamp')) !== '';

/** The conditions as they stand in a status, sorted by type. */
export function conditionsOf(status: unknown): readonly SeenCondition[] {
  const found = listOf(property(status, 'conditions')).map(
    (one): SeenCondition => ({
      type: textOf(property(one, 'type')),
      status: textOf(property(one, 'status')),
      reason: textOf(property(one, 'reason')),
      message: textOf(property(one, 'message')),
      observedGeneration: wholeOf(property(one, 'observedGeneration')),
      sinceMs: momentOf(property(one, 'lastTransitionTime')),
    }),
  );
  return found.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}
