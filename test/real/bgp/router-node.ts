/** A node of the cluster that speaks BGP: its Node and Pod objects, its FRR and its frr-k8s. */
import { join } from 'node:path';
import type { ControlPlane } from '../../controlplane/controlplane.ts';
import { FRR_NAMESPACE, frrPods } from '../../frrk8s/objects.ts';
import { startBox, type Box } from './box.ts';
import { frrK8sPrograms, podName, startFrrK8s, type FrrK8s } from './frrk8s.ts';
import type { Ground } from './ground.ts';
import { newBridge } from './wire.ts';

export interface NodeSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** In a /24 of its own, that it shares with its upstreams. */
  readonly address: string;
}

export interface RouterNode extends NodeSpec {
  readonly box: Box;
  readonly frrK8s: FrrK8s;
  /** null removes a label. */
  label(labels: Readonly<Record<string, string | null>>): Promise<void>;
  /** What FRR runs with. */
  runningConfig(): Promise<string>;
  /** Kills FRR's daemons and leaves frr-k8s running, which then knows nothing new. */
  killFrr(): Promise<void>;
  /** What the kubelet would say of the Pod of frr-k8s. */
  setPodReady(ready: boolean): Promise<void>;
  stop(): Promise<void>;
}

const ready = (isReady: boolean): object => ({
  conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
});

/** Starts all of a node; its box first, since upstreams hang on its eth0. */
export async function startRouterNode(
  ground: Ground,
  plane: ControlPlane,
  spec: NodeSpec,
  pollMs: number,
): Promise<RouterNode> {
  const folder = join(plane.folder, 'boxes', spec.name);
  const programs = frrK8sPrograms(ground);
  await applyNode(plane, spec);
  const box = await startBox(ground, { name: spec.name, folder, bgpd: '-p 0', programs });
  await newBridge(box, spec.address);
  const frrK8s = await startFrrK8s(box, { kubeconfig: plane.kubeconfig, pollMs });
  return {
    ...spec,
    box,
    frrK8s,
    label: async (labels) => {
      await plane.api.patch(`/api/v1/nodes/${spec.name}`, { metadata: { labels } });
    },
    runningConfig: () => box.run('files', 'vtysh', '-c', 'show running-config'),
    killFrr: async () => {
      await box.run('files', 'sh', '-c', 'kill -KILL $(pidof zebra bfdd bgpd)');
    },
    setPodReady: (isReady) => setPodReady(plane, spec.name, isReady),
    stop: async () => {
      const { status, controller, reloader } = frrK8s;
      await Promise.all([status, controller, reloader].map((child) => child.kill()));
      await box.stop();
    },
  };
}

/** The Node, and the Pod of frr-k8s on it, as the DaemonSet would have made it. */
async function applyNode(plane: ControlPlane, spec: NodeSpec): Promise<void> {
  const { name } = spec;
  const { api } = plane;
  const hostname = { 'kubernetes.io/hostname': name };
  const node = { name, labels: { ...hostname, ...spec.labels } };
  await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: node });
  const addresses = [{ type: 'InternalIP', address: spec.address }];
  await api.patch(`/api/v1/nodes/${name}/status`, { status: { ...ready(true), addresses } });
  const labels = { app: 'frr-k8s', component: 'frr-k8s', 'app.kubernetes.io/component': 'frr-k8s' };
  await api.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName(name), namespace: FRR_NAMESPACE, labels },
    spec: {
      nodeName: name,
      automountServiceAccountToken: false,
      containers: [{ name: 'controller', image: 'frr-k8s' }],
    },
  });
  await setPodReady(plane, name, true);
}

async function setPodReady(plane: ControlPlane, node: string, isReady: boolean): Promise<void> {
  const path = `${frrPods}/${podName(node)}/status`;
  await plane.api.patch(path, { status: { phase: 'Running', ...ready(isReady) } });
}
