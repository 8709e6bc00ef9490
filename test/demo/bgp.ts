/** The second act: a network of pods is advertised over BGP, meddled with, and withdrawn. */
import { namespace, routing } from '../cluster/bgp-objects.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import { frrConfigurations } from '../frrk8s/objects.ts';
import { localAsn, remoteAsn, twoZones } from '../real/bgp/rig.ts';
import { configOf, configs, hasPhase, remove, routings, says } from './bgp-objects.ts';
import type { Routers } from './routers.ts';
import { type Step, until } from './step.ts';

const pods = '10.100.0.0/16';

/** Prints a table, and ours beside it. */
export type Show = (theirs: string) => Promise<void>;

/** Runs the act; throws when something that should happen does not within 45 s. */
export async function advertise(
  plane: ControlPlane,
  routers: Routers,
  step: Step,
  show: Show,
): Promise<void> {
  const { api } = plane;
  await step('a CUDNBgpConfig names two zones with two neighbors each; FRR still starts', () =>
    configured(plane),
  );
  await step('frr-k8s becomes ready on both nodes', async () => {
    await routers.setReady(true);
    await hasPhase(api, `${configs}/cluster`, 'Ready');
    await says(api, 'SessionsEstablished', 'Established');
  });
  await step(`a team has a namespace, and a CUDNBgpRouting for ${pods}`, async () => {
    await api.apply(namespace('app-prod', 'prod'));
    await api.apply(routing('prod', 'prod', pods));
    await hasPhase(api, `${routings}/prod`, 'Ready');
    await until(`${pods} is a route at each upstream`, () => routers.areRouting(pods));
  });
  await show(await routers.summary());
  await step('somebody deletes the FRRConfiguration of zone-a by hand', () => restored(plane));
  await step('the routing is deleted, then the config: last things go first', async () => {
    await remove(api, `${routings}/prod`);
    await remove(api, `${configs}/cluster`);
  });
}

async function configured({ api }: ControlPlane): Promise<void> {
  const availabilityZones = twoZones.map(({ labels, upstreams }) => ({
    nodeSelector: { 'topology.kubernetes.io/zone': labels['topology.kubernetes.io/zone'] },
    neighbors: upstreams.map(({ address }) => ({ address, remoteASN: remoteAsn })),
  }));
  const bgp = { localASN: localAsn, connectTime: '1s', availabilityZones };
  await api.apply(configOf({ bgp }));
  await says(api, 'FRRNamespaceReady', 'WaitingForFRR');
}

/** Another object of that name: deleting tells what there was. */
async function restored({ api }: ControlPlane): Promise<void> {
  const path = `${frrConfigurations}/cudn-bgp-zone-a`;
  const { uid } = (await api.get(path)).metadata;
  await api.delete(path);
  await until(`${path} is back`, async () => {
    const { status, body } = await api.call('GET', path);
    return status === 200 && body.metadata.uid !== uid;
  });
  await hasPhase(api, `${configs}/cluster`, 'Ready');
}
