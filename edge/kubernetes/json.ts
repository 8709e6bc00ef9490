/** Careful looks into JSON of which nothing is known. */
import type { KubeObject } from '../../core/door.ts';

/** What stands at the path, or undefined when the path leads nowhere. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** The text at the path, or '' when there is none. */
export function text(value: unknown, ...path: readonly string[]): string {
  const found = field(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Undefined where the text is no JSON. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * The object as it is kept, or undefined when it has no name, uid or version. Who manages which
 * field is dropped at once: nobody here reads it, and it can be larger than all the rest.
 */
export function kubeObject(value: unknown): KubeObject | undefined {
  const metadata = field(value, 'metadata');
  for (const key of ['name', 'uid', 'resourceVersion']) {
    if (text(metadata, key) === '') return undefined;
  }
  delete (metadata as Record<string, unknown>)['managedFields'];
  return value as KubeObject;
}
