/** Real BGP: nodes with frr-k8s and FRR, each with its upstreams, around a real API server. */
import { join } from 'node:path';
import { startControlPlane, type ControlPlane } from '../../controlplane/controlplane.ts';
import { applyFrrCrds, type FrrCrdShape } from './crds.ts';
import type { Ground } from './ground.ts';
import { startRouterNode, type NodeSpec, type RouterNode } from './router-node.ts';
import { Sessions } from './sessions.ts';
import { newUpstream, type Upstream, type UpstreamSpec } from './upstream.ts';

export interface RigNode extends NodeSpec {
  readonly upstreams: readonly UpstreamSpec[];
}

/** Two zones with a node and two upstreams each, as the sources draw it. */
export const twoZones: readonly RigNode[] = [
  {
    name: 'worker-1',
    labels: { bgp_router: 'true', 'topology.kubernetes.io/zone': 'zone-a' },
    address: '10.0.1.10',
    upstreams: [
      { name: 'upstream-a1', address: '10.0.1.47' },
      { name: 'upstream-a2', address: '10.0.1.118' },
    ],
  },
  {
    name: 'worker-2',
    labels: { bgp_router: 'true', 'topology.kubernetes.io/zone': 'zone-b' },
    address: '10.0.2.10',
    upstreams: [
      { name: 'upstream-b1', address: '10.0.2.47' },
      { name: 'upstream-b2', address: '10.0.2.118' },
    ],
  },
];

/** The AS numbers of the rig, seen from the nodes, and what every upstream offers. */
export const localAsn = 65001;
export const remoteAsn = 64512;
export const offered = '192.168.100.0/24';

export interface RigOptions {
  /** A control plane to build upon, which is then left running; by default one of its own. */
  readonly plane?: ControlPlane;
  readonly nodes?: readonly RigNode[];
  /** Default `mended`. */
  readonly crd?: FrrCrdShape;
  /** How often sessions are looked at; default 1,000. */
  readonly pollMs?: number;
}

export interface Rig {
  readonly plane: ControlPlane;
  readonly nodes: readonly RouterNode[];
  readonly upstreams: readonly Upstream[];
  readonly sessions: Sessions;
  /** Throw when there is none of that name. */
  node(name: string): RouterNode;
  upstream(name: string): Upstream;
  /** Ends all that was started; a control plane that was given stays, with its objects. */
  stop(): Promise<void>;
}

/** Starts everything, in about 5 s: 3 of them are the control plane's. No session is up yet. */
export async function startRig(ground: Ground, options: RigOptions = {}): Promise<Rig> {
  const specs = options.nodes ?? twoZones;
  const plane = options.plane ?? (await startControlPlane({ nats: false, crd: 'none' }));
  const sessions = new Sessions(plane);
  const nodes: RouterNode[] = [];
  const upstreams: Upstream[] = [];
  const stop = async (): Promise<void> => {
    sessions.stop();
    await Promise.all([...upstreams, ...nodes].map((part) => part.stop()));
    if (options.plane === undefined) await plane.stop();
  };
  try {
    await applyFrrCrds(plane.api, ground.source, options.crd ?? 'mended');
    await sessions.start();
    await Promise.all(
      specs.map(async (spec) => {
        const node = await startRouterNode(ground, plane, spec, options.pollMs ?? 1_000);
        const own = spec.upstreams.map((up) => upstreamOf(ground, plane, node, up));
        nodes.push(node);
        upstreams.push(...own);
        await Promise.all(own.map((upstream) => upstream.start()));
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  // They were pushed as they came up.
  const order = specs.flatMap(({ name, upstreams: own }) => [name, ...own.map((up) => up.name)]);
  for (const parts of [nodes, upstreams])
    parts.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { plane, nodes, upstreams, sessions, stop, ...byName(nodes, upstreams) };
}

function upstreamOf(
  ground: Ground,
  plane: ControlPlane,
  node: RouterNode,
  spec: UpstreamSpec,
): Upstream {
  return newUpstream(ground, spec, {
    folder: join(plane.folder, 'boxes', spec.name),
    node: () => node.box,
    nodeAddress: node.address,
    asn: remoteAsn,
    nodeAsn: localAsn,
    network: offered,
  });
}

function byName(
  nodes: readonly RouterNode[],
  upstreams: readonly Upstream[],
): Pick<Rig, 'node' | 'upstream'> {
  const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
    const found = all.find((part) => part.name === name);
    if (found === undefined) throw new Error(`there is no ${name} in this rig`);
    return found;
  };
  return { node: (name) => named(nodes, name), upstream: (name) => named(upstreams, name) };
}
