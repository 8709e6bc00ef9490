/** Whether two facts say the same: read back from the log, keys stand in another order. */
import { isObject, property } from '../../core/json.ts';

/** An absent key and an undefined value are the same; lists are compared in order. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => same(one, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(property(a, key), property(b, key)));
}
