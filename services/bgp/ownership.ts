/** Which objects are ours: by the seed's label, or because they are those that we had made. */
import { BGP_MANAGER, MANAGED_BY } from '../../core/annotation.ts';
import type { ManagedKind, ManagedObject } from '../../core/managed.ts';
import { keyOf, type ObjectDecided, type World } from './world.ts';

/** What every FRRConfiguration of ours is called, the original's too: `cudn-bgp-az-1`. */
export const FRR_PREFIX = 'cudn-bgp-';
export const CUDN_PREFIX = 'cluster-udn-';
export const ROUTE_ADVERTISEMENTS_NAME = 'cudn-bgp-route-advertisements';

/**
 * The label makes it ours: so the original's objects are taken over. One that lost the label is
 * still ours when it is the object that we decided on (`spec/bgp-operator.md` W-06, W-15).
 */
export function isOurs(world: World, seen: ManagedObject): boolean {
  if (seen.labels[MANAGED_BY] === BGP_MANAGER || world.owned.has(seen.uid)) return true;
  const decided = decidedOn(world, seen.object, seen.name);
  return decided !== undefined && decided.want !== 'untouched' && decided.uid === seen.uid;
}

export const decidedOn = (
  world: World,
  object: ManagedKind,
  name: string,
): ObjectDecided | undefined => world.objectsDecided.get(keyOf(object, name));

/** The object of that name if it is ours, or somebody else's that is in the way. */
export function standingOf(
  world: World,
  object: ManagedKind,
  name: string,
): { readonly ours: ManagedObject | undefined; readonly foreign: ManagedObject | undefined } {
  const seen = world.object(object, name);
  if (seen === undefined) return { ours: undefined, foreign: undefined };
  return isOurs(world, seen)
    ? { ours: seen, foreign: undefined }
    : { ours: undefined, foreign: seen };
}

export const foreignWords = (object: ManagedKind, name: string): string =>
  `${object} ${name} is there already and does not carry the label ` +
  `${MANAGED_BY}=${BGP_MANAGER}: it is left alone. Delete or rename it, or give it the label`;
