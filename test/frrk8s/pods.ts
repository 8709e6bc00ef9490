/** The pods of frr-k8s as the cluster network operator deploys them. */
import type { ApiObject } from '../controlplane/api.ts';
import { FRR_NAMESPACE } from './objects.ts';

export const podNameOf = (node: string): string => `frr-k8s-${node}`;

/** The pod of the DaemonSet on a node. */
export const daemonPod = (node: string): ApiObject => pod(podNameOf(node), node, 'frr-k8s');

/** The pod of the webhook, which has the same label `app` as the others. */
export const webhookPod = (node: string): ApiObject =>
  pod('frr-k8s-statuscleaner-0', node, 'frr-k8s-statuscleaner');

function pod(name: string, node: string, component: string): ApiObject {
  const labels = { app: 'frr-k8s', component, 'app.kubernetes.io/component': component };
  const containers = [{ name: component, image: 'frr-k8s' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: FRR_NAMESPACE, labels },
    spec: { nodeName: node, containers, automountServiceAccountToken: false },
  };
}

export type PodState = 'Pending' | 'NotReady' | 'Ready';

/** What the kubelet writes. */
export function podStatus(state: PodState): object {
  const status = state === 'Ready' ? 'True' : 'False';
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = ['Ready', 'ContainersReady'].map((type) => {
    return { type, status, lastTransitionTime };
  });
  return { phase: state === 'Pending' ? 'Pending' : 'Running', conditions };
}
