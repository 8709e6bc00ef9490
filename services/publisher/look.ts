/** Whether an object is as it must be for a write, read from the object itself. */
import { CLOUD_OWNER } from '../../core/annotation.ts';
import type { KubeAnswer, KubeRequest } from '../../core/door.ts';
import type { Item } from '../../core/fact.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { CLAIMS, EGRESSIPS, type Look } from './input.ts';
import { sameItems } from './object.ts';
import { canonical } from './world.ts';

export const lookRequest = ({ kind, name }: Look): KubeRequest => ({
  method: 'GET',
  path: `${kind === 'Absent' ? EGRESSIPS : CLAIMS}/${name}`,
  contentType: 'application/json',
  body: undefined,
});

/** Undefined when the answer tells nothing. */
export function holds(look: Look, { status, body }: KubeAnswer): boolean | undefined {
  if (status === 404) return look.kind === 'Absent';
  if (status !== 200) return undefined;
  if (look.kind === 'Confirmed') return isConfirmed(body, look.owner, look.node);
  return !itemsIn(body).some(({ egressIP }) => canonical(egressIP) === look.address);
}

/** Its items as they stand in the object. */
export function itemsIn(object: unknown): readonly Item[] {
  return listOf(property(property(object, 'status'), 'items')).map((item) => ({
    egressIP: textOf(property(item, 'egressIP')),
    node: textOf(property(item, 'node')),
  }));
}

export const showsItems = (object: unknown, items: readonly Item[]): boolean =>
  sameItems(itemsIn(object), items);

function isConfirmed(claim: unknown, owner: string, node: string): boolean {
  const metadata = property(claim, 'metadata');
  const status = property(claim, 'status');
  const assigned = listOf(property(status, 'conditions')).find(
    (condition) => property(condition, 'type') === 'Assigned',
  );
  return (
    property(metadata, 'deletionTimestamp') === undefined &&
    property(property(metadata, 'annotations'), CLOUD_OWNER) === owner &&
    property(property(claim, 'spec'), 'node') === node &&
    property(status, 'node') === node &&
    property(assigned, 'status') === 'True'
  );
}
