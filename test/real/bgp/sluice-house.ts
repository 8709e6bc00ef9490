/** Sluice's rooms beside real frr-k8s and real FRR, with a player of OVN-Kubernetes. */
import type { ApiObject } from '../../controlplane/api.ts';
import { BgpHouse } from '../../cluster/bgp-house.ts';
import { networkOperator } from '../../cluster/bgp-objects.ts';
import { startControlPlane } from '../../controlplane/controlplane.ts';
import { eventually } from '../../controlplane/wait.ts';
import { frrConfiguration, frrConfigurations } from '../../frrk8s/objects.ts';
import { openOvnk } from '../../ovnk/ovnk.ts';
import type { Ground } from './ground.ts';
import { localAsn, remoteAsn, startRig, type Rig } from './rig.ts';
import { startWebhook, type Webhook } from './webhook.ts';

export interface SluiceHouse {
  /** The rooms, and every collection of BGP routing watched. */
  readonly house: BgpHouse;
  readonly rig: Rig;
  /** The real one of frr-k8s. */
  readonly webhook: Webhook;
  stop(): Promise<void>;
}

/** The neighbors of each zone of the rig. */
export const neighborsOf = {
  'zone-a': ['10.0.1.47', '10.0.1.118'],
  'zone-b': ['10.0.2.47', '10.0.2.118'],
} as const;

type Zone = keyof typeof neighborsOf;
type Zones = Readonly<Partial<Record<Zone, readonly string[]>>>;

/** A CUDNBgpConfig for these zones with these neighbors; `bgp` is laid over its own settings. */
export function configOf(zones: Zones = neighborsOf, bgp: object = {}): ApiObject {
  const availabilityZones = Object.entries(zones).map(([zone, neighbors]) => ({
    nodeSelector: { 'topology.kubernetes.io/zone': zone },
    neighbors: neighbors.map((address) => ({ address, remoteASN: remoteAsn })),
  }));
  return {
    apiVersion: 'networking.openshift.io/v1alpha1',
    kind: 'CUDNBgpConfig',
    metadata: { name: 'cluster' },
    spec: {
      bgp: {
        localASN: localAsn,
        livenessDetection: 'bgp-keepalive',
        connectTime: '1s',
        availabilityZones,
        ...bgp,
      },
      routerNodeSelector: { bgp_router: 'true' },
    },
  };
}

/** Starts all of it, in about 10 s; resolves when every room has caught up. */
export async function openSluiceHouse(ground: Ground): Promise<SluiceHouse> {
  const platform = ['clusteruserdefinednetworks', 'infrastructures', 'networks'] as const;
  const plane = await startControlPlane({ platform: [...platform, 'routeadvertisements'] });
  const house = new BgpHouse(plane);
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    // The rooms first: nothing is to be repaired any more.
    await house.rooms?.stop();
    for (const part of started.toReversed()) await part.stop();
    await house.stop();
  };
  try {
    const rig = await startRig(ground, { plane });
    started.push(rig);
    await plane.api.apply(networkOperator);
    const webhook = await startWebhook(ground, plane);
    started.push(webhook);
    await knowsNodes(house);
    await Promise.all([...house.watched.values()].map((one) => one.start()));
    house.ovnk = openOvnk(plane);
    await house.startRooms();
    return { house, rig, webhook, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The webhook looks at nodes through a cache, and lets everything pass until it has them. */
async function knowsNodes({ api }: BgpHouse): Promise<void> {
  const faulty = frrConfiguration('faulty', {
    bgp: { routers: [{ asn: localAsn, neighbors: [{ address: '10.0.1.47' }] }] },
  });
  await eventually('the webhook knows the nodes', { withinMs: 30_000, everyMs: 50 }, async () => {
    const path = `${frrConfigurations}?dryRun=All`;
    return (await api.call('POST', path, faulty)).status === 403;
  });
}
