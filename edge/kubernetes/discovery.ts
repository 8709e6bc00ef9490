/** Which kinds the server serves, and what can be done with them. */
import type { Collection } from '../../core/door.ts';
import type { Api } from './api.ts';
import { pause } from './deadline.ts';
import { field, text } from './json.ts';
import type { Patience } from './options.ts';

/**
 * Whether objects of the collection have a status subresource. Asks until the kind is served;
 * throws the signal's reason when that aborts first.
 */
export async function statusSubresource(
  api: Api,
  collection: Collection,
  patience: Patience,
  signal: AbortSignal,
): Promise<boolean> {
  const { groupVersion, plural } = placeOf(collection);
  for (;;) {
    const answer = await api.call({ method: 'GET', path: groupVersion }, signal);
    signal.throwIfAborted();
    const served = field(answer.body, 'resources');
    const names = Array.isArray(served) ? served.map((resource) => text(resource, 'name')) : [];
    if (names.includes(plural)) return names.includes(`${plural}/status`);
    await pause(Math.max(answer.retryAfterMs, patience.absentMs), signal);
  }
}

/** `/apis/k8s.ovn.org/v1/egressips` is egressips of `/apis/k8s.ovn.org/v1`. */
function placeOf(collection: Collection): { groupVersion: string; plural: string } {
  const parts = collection.split('?')[0]?.split('/') ?? [];
  const depth = parts[1] === 'api' ? 3 : 4;
  return { groupVersion: parts.slice(0, depth).join('/'), plural: parts.at(-1) ?? '' };
}
