/** Objects of BGP routing as the API server shows them, for tests of the watcher. */
import type { KubeObject } from '../../core/door.ts';

const OURS = '/apis/networking.openshift.io/v1alpha1';
const FRR = '/apis/frrk8s.metallb.io/v1beta1/namespaces/openshift-frr-k8s';

export const CONFIGS = `${OURS}/cudnbgpconfigs`;
export const ROUTINGS = `${OURS}/cudnbgproutings`;
export const FRR_CONFIGURATIONS = `${FRR}/frrconfigurations`;
export const SESSIONS = `${FRR}/bgpsessionstates`;
export const CUDNS = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
export const ADVERTISEMENTS = '/apis/k8s.ovn.org/v1/routeadvertisements';
export const NETWORKS = '/apis/operator.openshift.io/v1/networks';
export const FRR_PODS = '/api/v1/namespaces/openshift-frr-k8s/pods?labelSelector=app%3Dfrr-k8s';
export const NAMESPACES = '/api/v1/namespaces?labelSelector=cluster-udn';

export const BORN = '2026-01-05T10:00:00Z';

export function object(name: string, fields: object = {}, metadata: object = {}): KubeObject {
  const own = { name, uid: `uid-${name}`, resourceVersion: '1', generation: 3 };
  return { metadata: { ...own, creationTimestamp: BORN, ...metadata }, ...fields } as KubeObject;
}

const condition = (type: string, status = 'True') => ({
  ...{ type, status, reason: 'Because', message: 'so it is', observedGeneration: 3 },
  lastTransitionTime: BORN,
});

export const conditions = [condition('B', 'False'), condition('A')];

export const configObject = (spec: object = {}, metadata: object = {}): KubeObject =>
  object(
    'cluster',
    {
      spec: {
        bgp: {
          localASN: 65_001,
          livenessDetection: 'bfd',
          connectTime: '10s',
          availabilityZones: [
            {
              nodeSelector: { zone: 'a' },
              neighbors: [{ address: '10.0.1.47', remoteASN: 64_512 }],
            },
          ],
        },
        routerNodeSelector: { bgp_router: 'true' },
        ...spec,
      },
      status: { phase: 'Ready', observedGeneration: 3, conditions, aws: { routeServers: [] } },
    },
    metadata,
  );

export const routingObject = (metadata: object = {}): KubeObject =>
  object('cudn1', { spec: { network: { name: 'prod', subnets: ['10.100.0.0/16'] } } }, metadata);

export const podObject = (
  name: string,
  metadata: object = {},
  ready: 'True' | 'False' = 'True',
): KubeObject =>
  object(
    name,
    {
      spec: { nodeName: 'worker-1' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
    },
    { labels: { app: 'frr-k8s', component: 'frr-k8s' }, ...metadata },
  );
