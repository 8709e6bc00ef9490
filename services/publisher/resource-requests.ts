/** The writes to a CUDNBgpConfig or CUDNBgpRouting: our finalizer, and the status. */
import { CONFIG_FINALIZER, ROUTING_FINALIZER } from '../../core/annotation.ts';
import type { Resource as Kind } from '../../core/bgp-decision.ts';
import type { KubeRequest } from '../../core/door.ts';
import type { ResourceThing, SeenResource, WantedStatus } from './resource.ts';
import { statusBody } from './resource-status.ts';

const MANAGER = 'fieldManager=sluice';
const GROUP = '/apis/networking.openshift.io/v1alpha1';

export const finalizers: Readonly<Record<Kind, string>> = {
  cudnbgpconfig: CONFIG_FINALIZER,
  cudnbgprouting: ROUTING_FINALIZER,
};

type Operation = Readonly<Record<string, unknown>>;

function patch(thing: ResourceThing, sub: string, operations: readonly Operation[]): KubeRequest {
  const test = { op: 'test', path: '/metadata/uid', value: thing.uid };
  return {
    method: 'PATCH',
    path: `${GROUP}/${thing.kind}s/${thing.name}${sub}?${MANAGER}`,
    contentType: 'application/json-patch+json',
    body: [test, ...operations],
  };
}

/** Finalizers of others stay: what was seen of the list is tested before it is touched. */
export function finalizerRequest(
  thing: ResourceThing,
  { finalizers: seen }: SeenResource,
  wanted: boolean,
): KubeRequest {
  const own = finalizers[thing.kind];
  const path = '/metadata/finalizers';
  if (!wanted) {
    const place = `${path}/${seen.indexOf(own)}`;
    const test = { op: 'test', path: place, value: own };
    return patch(thing, '', [test, { op: 'remove', path: place }]);
  }
  if (seen.length > 0) return patch(thing, '', [{ op: 'add', path: `${path}/-`, value: own }]);
  const empty = { op: 'test', path, value: null };
  return patch(thing, '', [empty, { op: 'add', path, value: [own] }]);
}

/** To learn who wrote the status last. */
export const resourceRequest = ({ kind, name }: ResourceThing): KubeRequest => ({
  method: 'GET',
  path: `${GROUP}/${kind}s/${name}`,
  contentType: 'application/json',
  body: undefined,
});

/** The whole status: nobody else writes it. */
export const statusRequest = (thing: ResourceThing, status: WantedStatus): KubeRequest =>
  patch(thing, '/status', [{ op: 'add', path: '/status', value: statusBody(status) }]);
