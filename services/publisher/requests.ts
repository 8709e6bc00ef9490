/** The smallest writes that make an EgressIP true (`spec/egressip.md` 5.7). */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { KubeRequest } from '../../core/door.ts';
import type { Item } from '../../core/fact.ts';
import { EGRESSIPS } from './input.ts';

const MANAGER = 'fieldManager=sluice';

/**
 * The status, preconditioned on the uid: a `test` that fails is refused (422) and changes nothing.
 * JSON patch is the cheapest for the server; `add` replaces what is there and needs nothing there.
 */
function statusPatch(name: string, uid: string, items: readonly Item[], sub: string): KubeRequest {
  return {
    method: 'PATCH',
    path: `${EGRESSIPS}/${name}${sub}?${MANAGER}`,
    contentType: 'application/json-patch+json',
    body: [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'add', path: '/status', value: { items } },
    ],
  };
}

/** Merge patch touches only the key that is ours: users keep their annotations. */
function mergePatch(name: string, body: object): KubeRequest {
  return {
    method: 'PATCH',
    path: `${EGRESSIPS}/${name}?${MANAGER}`,
    contentType: 'application/merge-patch+json',
    body,
  };
}

/**
 * `items` undefined = leave the status; `mark` 0 = leave the mark. The mark is on the object no
 * later than the first item (`spec/egressip.md` 11.6): in the same patch, or before it where the
 * status is a subresource.
 */
export function egressIPRequests(
  name: string,
  uid: string,
  items: readonly Item[] | undefined,
  mark: number,
  statusSubresource: boolean,
): readonly KubeRequest[] {
  const metadata = { uid, annotations: { [EGRESSIP_MARK]: String(mark) } };
  if (items === undefined) return [mergePatch(name, { metadata })];
  if (statusSubresource) {
    const status = statusPatch(name, uid, items, '/status');
    return mark === 0 ? [status] : [mergePatch(name, { metadata }), status];
  }
  if (mark === 0) return [statusPatch(name, uid, items, '')];
  return [mergePatch(name, { metadata, status: { items } })];
}
