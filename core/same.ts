/** Whether two values of the log say the same: read back from it, keys stand in another order. */
import { isObject, property } from './json.ts';

/** An absent key and an undefined value are the same; lists are compared in order. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => same(one, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of Object.keys(a)) if (!same(a[key], property(b, key))) return false;
  return Object.keys(b).every((key) => Object.hasOwn(a, key) || b[key] === undefined);
}
