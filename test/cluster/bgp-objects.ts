/** The objects that operators make for BGP routing, and where each kind lives. */
import type { ApiObject } from '../controlplane/api.ts';
import { frrConfigurations, sessionStates } from '../frrk8s/objects.ts';

export const collections = {
  cudnbgpconfigs: '/apis/networking.openshift.io/v1alpha1/cudnbgpconfigs',
  cudnbgproutings: '/apis/networking.openshift.io/v1alpha1/cudnbgproutings',
  networks: '/apis/operator.openshift.io/v1/networks',
  frrconfigurations: frrConfigurations,
  clusteruserdefinednetworks: '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks',
  routeadvertisements: '/apis/k8s.ovn.org/v1/routeadvertisements',
  bgpsessionstates: sessionStates,
  events: '/apis/events.k8s.io/v1/namespaces/default/events',
} as const;

export type Plural = keyof typeof collections;
export const plurals = Object.keys(collections) as readonly Plural[];

/** Each has one node: a1, b1, c1. */
export const zones = ['a', 'b', 'c'] as const;
const ROUTER = { bgp_router: 'true' };

export const node = (zone: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `${zone}1`,
    labels: {
      ...ROUTER,
      'kubernetes.io/hostname': `${zone}1`,
      'topology.kubernetes.io/zone': `us-east-1${zone}`,
      bgp_router_subnet: String(zones.indexOf(zone as 'a') + 1),
    },
  },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

/** As OpenShift has it before anybody asked for BGP. */
export const networkOperator: ApiObject = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'Network',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed', defaultNetwork: { type: 'OVNKubernetes' } },
};

/** The explicit example of the seed: two neighbours in each of three zones. */
const neighbors: Readonly<Record<string, readonly string[]>> = {
  a: ['10.0.1.47', '10.0.1.183'],
  b: ['10.0.2.91', '10.0.2.204'],
  c: ['10.0.3.62', '10.0.3.178'],
};

export function config(own: readonly string[] = zones, bgp: object = {}): ApiObject {
  const availabilityZones = own.map((zone) => ({
    nodeSelector: {
      'topology.kubernetes.io/zone': `us-east-1${zone}`,
      bgp_router_subnet: String(zones.indexOf(zone as 'a') + 1),
    },
    neighbors: neighbors[zone]?.map((address) => ({ address, remoteASN: 64_512 })),
  }));
  return {
    apiVersion: 'networking.openshift.io/v1alpha1',
    kind: 'CUDNBgpConfig',
    metadata: { name: 'cluster' },
    spec: {
      bgp: { localASN: 65_001, livenessDetection: 'bgp-keepalive', availabilityZones, ...bgp },
      routerNodeSelector: ROUTER,
    },
  };
}

export const routing = (name: string, network: string, subnet: string): ApiObject => ({
  apiVersion: 'networking.openshift.io/v1alpha1',
  kind: 'CUDNBgpRouting',
  metadata: { name },
  spec: { network: { name: network, subnets: [subnet] } },
});

/** A namespace whose pods are to be in the network. */
export const namespace = (name: string, network: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: { 'k8s.ovn.org/primary-user-defined-network': '', 'cluster-udn': network },
  },
});
