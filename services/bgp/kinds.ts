/** Which kinds must have been listed, or be known not to be served, before anything is decided. */
import type { ManagedKind } from '../../core/managed.ts';
import { list } from '../../core/say.ts';
import type { World } from './world.ts';

/** The names of the collections as `KindSeen` tells them. */
export const needed = [
  'cudnbgpconfigs',
  'cudnbgproutings',
  'networks',
  'frrconfigurations',
  'clusteruserdefinednetworks',
  'routeadvertisements',
  'namespaces',
  'frrpods',
  'bgpsessionstates',
] as const;

export type Plural = (typeof needed)[number];

export const pluralOf: Readonly<Record<ManagedKind, Plural>> = {
  Network: 'networks',
  FRRConfiguration: 'frrconfigurations',
  ClusterUserDefinedNetwork: 'clusteruserdefinednetworks',
  RouteAdvertisements: 'routeadvertisements',
};

/** The full names of the kinds, for people who look for the missing CRD. */
export const crdOf: Readonly<Record<ManagedKind, string>> = {
  Network: 'networks.operator.openshift.io',
  FRRConfiguration: 'frrconfigurations.frrk8s.metallb.io',
  ClusterUserDefinedNetwork: 'clusteruserdefinednetworks.k8s.ovn.org',
  RouteAdvertisements: 'routeadvertisements.k8s.ovn.org',
};

/** Half a sentence for `/readyz`; '' = all was heard. */
export function unheard(world: World): string {
  const missing: string[] = needed.filter((plural) => !world.kinds.has(plural));
  if (!world.synced) missing.unshift('nodes');
  return missing.length === 0 ? '' : `the watcher to list ${list(missing)}`;
}
