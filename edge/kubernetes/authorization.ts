/** Who asks: a token that is given once, or one in a file that the kubelet rotates. */
import { readFile } from 'node:fs/promises';
import type { Authorization } from './options.ts';

/** As often as client-go; a projected token is replaced long before it ends. */
const maxAgeMs = 60_000;

/** A token that stays as it is. */
export function fixedToken(token: string): Authorization {
  return async () => `Bearer ${token}`;
}

/**
 * The token in a file, read again after a minute and when the server refused the last one. While
 * the file cannot be read, the last token is used; without one this throws.
 */
export function tokenFile(path: string, keptMs = maxAgeMs): Authorization {
  return remembered(async () => `Bearer ${(await readFile(path, 'utf8')).trim()}`, keptMs);
}

/** An authorization that is costly to find out, such as one from a plugin, kept for a minute. */
export function remembered(
  find: () => Promise<string | undefined>,
  keptMs = maxAgeMs,
): Authorization {
  let last: { readonly value: string | undefined; readonly atMs: number } | undefined;
  return async (fresh) => {
    if (last !== undefined && !fresh && performance.now() - last.atMs < keptMs) return last.value;
    try {
      last = { value: await find(), atMs: performance.now() };
    } catch (error) {
      if (last === undefined) throw error;
    }
    return last.value;
  };
}
