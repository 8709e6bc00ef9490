/** The routers of the second act: real FRR on this machine, or doubles where there is none. */
import { networkOperator } from '../cluster/bgp-objects.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { openFrr } from '../frrk8s/daemon.ts';
import { openWebhook } from '../frrk8s/webhook.ts';
import { openOvnk } from '../ovnk/ovnk.ts';
import type { Ground } from '../real/bgp/ground.ts';
import { startRig, twoZones } from '../real/bgp/rig.ts';
import { startWebhook } from '../real/bgp/webhook.ts';

export interface Routers {
  /** What they are, for people. */
  readonly what: string;
  setReady(ready: boolean): Promise<void>;
  /** `show bgp summary` at an upstream; '' where upstreams are only played. */
  summary(): Promise<string>;
  /** Whether each upstream routes this prefix to its node; true where they are only played. */
  areRouting(prefix: string): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Two nodes with two upstreams each; frr-k8s is not ready on them yet. `ground` may be the reason
 * why there is none.
 */
export async function openRouters(plane: ControlPlane, ground: Ground | string): Promise<Routers> {
  await plane.api.apply(networkOperator);
  const ovnk = openOvnk(plane);
  const routers =
    typeof ground === 'string' ? await played(plane, ground) : await real(plane, ground);
  const stop = async (): Promise<void> => {
    await ovnk.stop();
    await routers.stop();
    for (const { name } of twoZones) await plane.api.delete(`/api/v1/nodes/${name}`);
  };
  return { ...routers, stop };
}

async function real(plane: ControlPlane, ground: Ground): Promise<Routers> {
  const rig = await startRig(ground, { plane, pollMs: 2_000 });
  const setReady = async (ready: boolean): Promise<void> => {
    await Promise.all(rig.nodes.map((node) => node.setPodReady(ready)));
  };
  await setReady(false);
  const webhook = await startWebhook(ground, plane);
  const [upstream] = rig.upstreams;
  return {
    what: 'frr-k8s and FRR, two nodes and four upstream routers, in namespaces of this machine',
    setReady,
    summary: async () => {
      return `${upstream?.name}# show bgp summary\n${(await upstream?.summary())?.trim()}`;
    },
    areRouting: async (prefix) => {
      const routes = await Promise.all(rig.upstreams.map((one) => one.routes()));
      return routes.every((own) => own.includes(prefix));
    },
    stop: async () => {
      await webhook.stop();
      await rig.stop();
    },
  };
}

async function played(plane: ControlPlane, why: string): Promise<Routers> {
  const { api } = plane;
  const frr = await openFrr(plane, { reloadMs: 500, connectMs: 1_000 });
  const webhook = await openWebhook(api);
  for (const { name, labels } of twoZones) {
    const own = { ...labels, 'kubernetes.io/hostname': name };
    await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: own } });
    await frr.pod(name, 'NotReady');
  }
  return {
    what: `doubles of frr-k8s and FRR (${why})`,
    setReady: async (ready) => {
      for (const { name } of twoZones) await frr.pod(name, ready ? 'Ready' : 'NotReady');
    },
    summary: async () => '',
    areRouting: async () => true,
    stop: async () => {
      await frr.stop();
      await webhook.down();
    },
  };
}
