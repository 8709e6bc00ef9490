/** The cluster of the demo: the staging and production pools of OKEP-6800, story 2. */
import type { Api, ApiObject } from '../controlplane/api.ts';
import { newHealthServer, type HealthServer } from '../controlplane/health-server.ts';
import { eventually } from '../controlplane/wait.ts';

export type Tier = 'staging' | 'production';

interface DemoNode {
  readonly name: string;
  readonly tier: Tier;
  /** Counted from 1 over both pools. */
  readonly number: number;
}

/** Three nodes for each tenant. */
const nodes: readonly DemoNode[] = [1, 2, 3, 4, 5, 6].map((number) => {
  const tier = number <= 3 ? 'staging' : 'production';
  return { name: `${tier}-${number <= 3 ? number : number - 3}`, tier, number };
});

const nodePath = (name: string): string => `/api/v1/nodes/${name}`;

/** What the steps of the demo do to the cluster, and what they see of it. */
export interface DemoCluster {
  /** Sets the label `tier` of a node; null removes it. */
  label(node: string, tier: Tier | null): Promise<void>;
  setReady(node: string, ready: boolean): Promise<void>;
  /** The health port of a node. */
  health(node: string): HealthServer;
  /** Puts an EgressIP with these addresses on the nodes of a tier. */
  egressIP(name: string, addresses: readonly string[], tier: string): Promise<void>;
  /** The node that hosts an address according to the status of its EgressIP, or ''. */
  nodeOf(address: string): Promise<string>;
  /** Waits until it is so; throws with `what` when it is not within 30 s. */
  until(what: string, look: () => Promise<boolean>): Promise<void>;
  /** The version of each EgressIP: it changes with every write. */
  versions(): Promise<string[]>;
  close(): Promise<void>;
}

/** Makes the nodes, Ready and each with a health port of its own at 127.64.<number>.2. */
export async function makeCluster(api: Api, probePort: number): Promise<DemoCluster> {
  const ports = new Map<string, HealthServer>();
  for (const node of nodes) {
    const server = newHealthServer(`127.64.${node.number}.2`, probePort);
    await server.open();
    ports.set(node.name, server);
    await api.apply(nodeObject(node));
    await setReady(api, node.name, true);
  }
  return {
    label: (node, tier) => api.patch(nodePath(node), { metadata: { labels: { tier } } }),
    setReady: (node, ready) => setReady(api, node, ready),
    health: (node) => found(ports.get(node), node),
    egressIP: async (name, addresses, tier) => {
      await api.apply(egressIPObject(name, addresses, tier));
    },
    nodeOf: async (address) => (await placements(api)).get(address) ?? '',
    until: async (what, look) => void (await eventually(what, { withinMs: 30_000 }, look)),
    versions: async () =>
      (await egressIPs(api)).map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`),
    close: async () => void (await Promise.all([...ports.values()].map((port) => port.close()))),
  };
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the demo has no node ${name}`);
  return value;
}

/** A node with what ovnkube-node writes on it (`spec/egressip.md` 1.3). */
function nodeObject({ name, tier, number }: DemoNode): ApiObject {
  const address = `10.0.${tier === 'staging' ? 1 : 2}.${100 + number}/16`;
  const annotations = {
    'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: address, ipv6: '' }),
    'k8s.ovn.org/host-cidrs': JSON.stringify([address]),
    // On loopback, so that the second address, where the node is probed, exists on any machine.
    'k8s.ovn.org/node-subnets': JSON.stringify({ default: [`127.64.${number}.0/24`] }),
  };
  const labels = { 'kubernetes.io/hostname': name, tier };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, annotations } };
}

function egressIPObject(name: string, addresses: readonly string[], tier: string): ApiObject {
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'EgressIP',
    metadata: { name },
    spec: {
      egressIPs: addresses,
      namespaceSelector: { matchLabels: { tenant: name } },
      egressNodeSelector: { matchLabels: { tier } },
    },
  };
}

async function setReady(api: Api, node: string, ready: boolean): Promise<void> {
  const now = new Date().toISOString();
  const condition = {
    type: 'Ready',
    status: ready ? 'True' : 'Unknown',
    reason: ready ? 'KubeletReady' : 'NodeStatusUnknown',
    message: ready ? 'kubelet is posting ready status' : 'Kubelet stopped posting node status.',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  await api.patch(`${nodePath(node)}/status`, { status: { conditions: [condition] } });
}

interface SeenEgressIP {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly status?: { readonly items?: readonly { egressIP: string; node: string }[] };
}

async function egressIPs(api: Api): Promise<SeenEgressIP[]> {
  return (await api.get('/apis/k8s.ovn.org/v1/egressips')).items;
}

async function placements(api: Api): Promise<Map<string, string>> {
  const items = (await egressIPs(api)).flatMap((object) => object.status?.items ?? []);
  return new Map(items.map((item) => [item.egressIP, item.node]));
}
