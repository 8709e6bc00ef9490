/** JSON values as text that is the same for equal values: keys in order, nothing between them. */
import { isObject } from './json.ts';

/** A value with the keys of every object in order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key])]));
}

/** Canonical JSON; '' for undefined. Members that are undefined are left out. */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value)) ?? '';
