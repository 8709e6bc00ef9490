/** What the API server knows of kinds: which have a path for their status, which count changes. */
import type { Collection } from '../../core/door.ts';
import { CLOUD_CLAIMS, EGRESSIPS, NODES } from './admission.ts';

const OURS = '/apis/networking.openshift.io/v1alpha1';
const FRR = '/apis/frrk8s.metallb.io/v1beta1/namespaces/openshift-frr-k8s';

export const CONFIGS: Collection = `${OURS}/cudnbgpconfigs`;
export const ROUTINGS: Collection = `${OURS}/cudnbgproutings`;
export const OPERATOR_NETWORKS: Collection = '/apis/operator.openshift.io/v1/networks';
export const FRR_CONFIGURATIONS: Collection = `${FRR}/frrconfigurations`;
export const SESSIONS: Collection = `${FRR}/bgpsessionstates`;
export const NETWORKS: Collection = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
export const ADVERTISEMENTS: Collection = '/apis/k8s.ovn.org/v1/routeadvertisements';
export const FRR_PODS: Collection = '/api/v1/namespaces/openshift-frr-k8s/pods';
export const NAMESPACES: Collection = '/api/v1/namespaces';

/** Everything that routing by BGP has to do with. */
export const routingCollections: readonly Collection[] = [
  ...[CONFIGS, ROUTINGS, OPERATOR_NETWORKS, FRR_CONFIGURATIONS, SESSIONS],
  ...[NETWORKS, ADVERTISEMENTS, FRR_PODS, NAMESPACES],
];

/** What somebody writes a spec of: each change of it is another generation. */
const counting = new Set([
  ...[CONFIGS, ROUTINGS, OPERATOR_NETWORKS, FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS],
]);

export const countsGenerations = (collection: Collection): boolean => counting.has(collection);

/** Whether the status has a path of its own; of EgressIP that depends on its CRD. */
export const splitsStatus = (collection: Collection, egressIPs: boolean): boolean =>
  collection === NODES ||
  collection === CLOUD_CLAIMS ||
  (counting.has(collection) && collection !== FRR_CONFIGURATIONS) ||
  (collection === EGRESSIPS && egressIPs);
