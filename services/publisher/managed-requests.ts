/** The writes to objects of BGP routing: the smallest that make one as it is wanted. */
import type { KubeRequest } from '../../core/door.ts';
import { parseJson } from '../../core/json.ts';
import type { ManagedKind } from '../../core/managed.ts';
import type { Managed, ManagedStep } from './managed.ts';
import { labelsDiffer, specDiffers } from './managed-compare.ts';

const MANAGER = 'fieldManager=sluice';
const FRR = 'openshift-frr-k8s';

interface Place {
  readonly apiVersion: string;
  readonly collection: string;
  readonly namespace?: string;
  /** As `KindSeen` names it. */
  readonly plural: string;
}

export const places: Readonly<Record<ManagedKind, Place>> = {
  FRRConfiguration: {
    apiVersion: 'frrk8s.metallb.io/v1beta1',
    collection: `/apis/frrk8s.metallb.io/v1beta1/namespaces/${FRR}/frrconfigurations`,
    namespace: FRR,
    plural: 'frrconfigurations',
  },
  ClusterUserDefinedNetwork: {
    apiVersion: 'k8s.ovn.org/v1',
    collection: '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks',
    plural: 'clusteruserdefinednetworks',
  },
  RouteAdvertisements: {
    apiVersion: 'k8s.ovn.org/v1',
    collection: '/apis/k8s.ovn.org/v1/routeadvertisements',
    plural: 'routeadvertisements',
  },
  Network: {
    apiVersion: 'operator.openshift.io/v1',
    collection: '/apis/operator.openshift.io/v1/networks',
    plural: 'networks',
  },
};

export const readRequest = (object: ManagedKind, name: string): KubeRequest => ({
  method: 'GET',
  path: `${places[object].collection}/${name}`,
  contentType: 'application/json',
  body: undefined,
});

/** The uid is a precondition of each: what was made in its place since is left alone. */
export function managedRequest(managed: Managed, { verb, uid }: ManagedStep): KubeRequest {
  const { object, name } = managed;
  const path = `${places[object].collection}/${name}`;
  if (verb === 'create') return creation(managed);
  if (verb === 'delete') {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    return { method: 'DELETE', path, contentType: 'application/json', body };
  }
  if (object === 'Network') return networkPatch(managed, path, uid);
  return {
    method: 'PATCH',
    path: `${path}?${MANAGER}`,
    contentType: 'application/json-patch+json',
    body: operationsOf(managed, uid),
  };
}

function creation({ object, name, wanted }: Managed): KubeRequest {
  const { apiVersion, collection, namespace } = places[object];
  const labels = wanted?.decision.labels ?? {};
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels };
  const spec = parseJson(wanted?.decision.spec ?? '');
  const body = { apiVersion, kind: object, metadata, spec };
  return {
    method: 'POST',
    path: `${collection}?${MANAGER}`,
    contentType: 'application/json',
    body,
  };
}

/** Both fields at once, and no other: OpenShift's rules bind them together (2.6 of the facts). */
function networkPatch({ wanted }: Managed, path: string, uid: string): KubeRequest {
  return {
    method: 'PATCH',
    path: `${path}?${MANAGER}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { uid }, spec: parseJson(wanted?.decision.spec ?? '') },
  };
}

type Operation = Readonly<Record<string, unknown>>;

/** Labels, annotations and finalizers of others stay; nothing is written that is being deleted. */
function operationsOf({ seen, wanted, acceptedNow }: Managed, uid: string): readonly Operation[] {
  if (seen === undefined || wanted === undefined) return [];
  const { labels, dropped, spec } = wanted.decision;
  const wish = { labels, dropped, spec, accepted: acceptedNow };
  const operations: Operation[] = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/deletionTimestamp', value: null },
  ];
  if (specDiffers(seen.spec, wish).length > 0)
    operations.push({ op: 'replace', path: '/spec', value: parseJson(spec) });
  if (labelsDiffer(seen.labels, wish).length === 0) return operations;
  if (Object.keys(seen.labels).length === 0)
    return [...operations, { op: 'add', path: '/metadata/labels', value: labels }];
  for (const [key, value] of Object.entries(labels))
    if (seen.labels[key] !== value) operations.push({ op: 'add', path: labelPath(key), value });
  for (const key of dropped)
    if (seen.labels[key] !== undefined) operations.push({ op: 'remove', path: labelPath(key) });
  return operations;
}

/** RFC 6901: `~` and `/` are written otherwise in a pointer. */
const labelPath = (key: string): string =>
  `/metadata/labels/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
