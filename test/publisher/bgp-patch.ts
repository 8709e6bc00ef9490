/**
 * JSON Patch (RFC 6902) as the Kubernetes API server applies it, as far as the publisher uses it.
 */

export interface Operation {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

// oxlint-disable-next-line no-explicit-any -- objects of any kind are changed here, by tests
type Json = any;

/** Undefined when a test does not hold or a path is not there. A test of null = not there. */
export function patched(object: Json, operations: readonly Operation[]): Json {
  const copy = structuredClone(object);
  return operations.every((operation) => apply(copy, operation)) ? copy : undefined;
}

function apply(copy: Json, { op, path, value }: Operation): boolean {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce((one, key) => one?.[key], copy);
  if (parent === undefined) return op === 'test' && value === null;
  const known = parent[last];
  if (op === 'test')
    return value === null ? known === undefined : JSON.stringify(known) === JSON.stringify(value);
  if (op === 'replace' && known === undefined) return false;
  if (op === 'remove') {
    if (known === undefined) return false;
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
    return true;
  }
  if (Array.isArray(parent) && last === '-') parent.push(value);
  else parent[last] = structuredClone(value);
  return true;
}
