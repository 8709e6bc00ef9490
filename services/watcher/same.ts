/** Whether two facts say the same: what was read back from the log has its keys in another order. */
import { isObject } from '../../core/json.ts';

/** An absent key and an undefined value are the same; lists are compared in order. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => same(one, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(own(a, key), own(b, key)));
}

/** Label keys may be called `constructor`. */
function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
