/** JSON merge patch (RFC 7386) and JSON patch (RFC 6902), as far as controllers use them. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../core/json.ts';

/** Why a patch cannot be applied; the API server answers 422 then. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** RFC 7386: null removes, objects are merged, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** RFC 6902 with add, remove, replace and test. Throws PatchError; then nothing was changed. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw new PatchError('a JSON patch is a list');
  let result = target;
  for (const operation of operations as readonly unknown[]) {
    if (!isObject(operation)) throw new PatchError('an operation is an object');
    result = operate(result, operation);
  }
  return result;
}

function operate(target: unknown, operation: JsonObject): unknown {
  const { op, path, value } = operation;
  if (typeof path !== 'string') throw new PatchError('an operation needs a path');
  const keys = path.split('/').slice(1).map(unescape);
  if (op === 'test') {
    // What is not there equals null, as in the API server's library.
    if (!isDeepStrictEqual(read(target, keys) ?? null, value ?? null))
      throw new PatchError(`testing value ${path} failed`);
    return target;
  }
  if (op !== 'add' && op !== 'remove' && op !== 'replace')
    throw new PatchError(`unexpected kind: ${String(op)}`);
  return change(target, keys, op, value, path);
}

const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

function read(target: unknown, keys: readonly string[]): unknown {
  let value = target;
  for (const key of keys) {
    if (Array.isArray(value)) value = (value as readonly unknown[])[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

type Change = 'add' | 'remove' | 'replace';

function change(
  target: unknown,
  keys: readonly string[],
  op: Change,
  value: unknown,
  path: string,
): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(target)) return changeList(target as unknown[], key, rest, op, value, path);
  if (!isObject(target)) throw new PatchError(`${op} operation does not apply: ${path} is missing`);
  const has = Object.hasOwn(target, key);
  if (!has && (rest.length > 0 || op !== 'add'))
    throw new PatchError(`${op} operation does not apply: doc is missing path: ${path}`);
  if (rest.length > 0) return { ...target, [key]: change(target[key], rest, op, value, path) };
  if (op !== 'remove') return { ...target, [key]: value };
  return Object.fromEntries(Object.entries(target).filter(([other]) => other !== key));
}

function changeList(
  list: readonly unknown[],
  key: string,
  rest: readonly string[],
  op: Change,
  value: unknown,
  path: string,
): unknown[] {
  const index = key === '-' ? list.length : Number(key);
  const most = op === 'add' && rest.length === 0 ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > most)
    throw new PatchError(`${op} operation does not apply: ${path} is missing`);
  if (rest.length > 0) return list.with(index, change(list[index], rest, op, value, path));
  if (op === 'add') return list.toSpliced(index, 0, value);
  return op === 'remove' ? list.toSpliced(index, 1) : list.with(index, value);
}
