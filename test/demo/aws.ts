/** The third act: neighbors found in AWS, a peer for each of them, and a node that is replaced. */
import type { Machine } from '../aws/machine.ts';
import type { Aws } from '../aws/open.ts';
import { topology } from '../aws/topology.ts';
import type { Api } from '../controlplane/api.ts';
import type { FrrDouble } from '../frrk8s/daemon.ts';
import { configOf, configs, hasPhase, remove } from './bgp-objects.ts';
import { type Step, until } from './step.ts';

export const region = 'us-east-1';
const asn = 65_001;

/** Runs the act; throws when something that should happen does not within 45 s. */
export async function replaceNode(
  api: Api,
  aws: Aws,
  frr: FrrDouble,
  step: Step,
  show: (theirs: string) => Promise<void>,
): Promise<void> {
  const world = aws.world.region(region);
  const { server, nodes } = topology(world, { nodes: 3 });
  await nameCluster(api, 'demo');
  for (const [index, machine] of nodes.entries()) await join(api, frr, nameOf(index), machine);
  await step(
    `a CUDNBgpConfig names Route Server ${server.id}; all else is found there`,
    async () => {
      await api.apply(
        configOf({ bgp: { localASN: asn }, aws: { region, routeServerIDs: [server.id] } }),
      );
      await arePeered(aws, nodes);
      await hasPhase(api, `${configs}/cluster`, 'Ready');
      await until('the source/dest check of each node is off', async () => areOpen(aws, nodes));
    },
  );
  await show(picture(aws));
  const [first] = nodes as [Machine, ...Machine[]];
  await step(`instance ${first.id} of ${nameOf(0)} is replaced by another one`, async () => {
    const fresh = world.replace(first.id);
    const all = [...nodes.slice(1), fresh];
    await join(api, frr, nameOf(nodes.length), fresh);
    await arePeered(aws, all);
    await until('its source/dest check is off', async () => areOpen(aws, all));
    // As the cloud's controller does some time after the machine is gone.
    await frr.removePod(nameOf(0));
    await api.delete(`/api/v1/nodes/${nameOf(0)}`);
    await hasPhase(api, `${configs}/cluster`, 'Ready');
  });
  await show(picture(aws));
  await step('the config is deleted: FRR is told first, then each peer goes', async () => {
    await remove(api, `${configs}/cluster`);
    await arePeered(aws, []);
  });
}

const nameOf = (index: number): string => `ip-10-0-${index + 1}`;

/** Peers carry this name as a tag; OpenShift's installer gives it. */
async function nameCluster(api: Api, infrastructureName: string): Promise<void> {
  const apiVersion = 'config.openshift.io/v1';
  await api.apply({ apiVersion, kind: 'Infrastructure', metadata: { name: 'cluster' } });
  const path = `/apis/${apiVersion}/infrastructures/cluster/status`;
  await api.patch(path, { status: { infrastructureName } });
}

/** A machine becomes a node of the cluster, with a FRR that dials whomever it is told to. */
async function join(
  api: Api,
  frr: FrrDouble,
  name: string,
  { address, zone, providerID }: Machine,
): Promise<void> {
  const labels = {
    bgp_router: 'true',
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': zone,
  };
  const metadata = { name, labels };
  await api.apply({ apiVersion: 'v1', kind: 'Node', metadata, spec: { providerID } });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const addresses = [{ type: 'InternalIP', address }];
  await api.patch(`/api/v1/nodes/${name}/status`, { status: { conditions, addresses } });
  await frr.pod(name);
}

/**
 * Waits until each machine has an available peer at both endpoints of its zone, and nobody else.
 */
async function arePeered(aws: Aws, machines: readonly Machine[]): Promise<void> {
  const both = machines.map(({ address }) => `${address} available`);
  const wanted = [...both, ...both].sort();
  const peers = (): string[] =>
    aws.world
      .region(region)
      .livePeers()
      .map(({ address, state }) => `${address} ${state}`)
      .sort();
  const detail = (): string => `, there is: ${peers().join(', ')}`;
  await until(
    `the peers are: ${wanted.join(', ') || 'none'}`,
    async () => peers().join() === wanted.join(),
    detail,
  );
}

const areOpen = (aws: Aws, machines: readonly Machine[]): boolean => {
  const { interfaces } = aws.world.region(region);
  return machines.every(({ eni }) =>
    interfaces.some(({ id, sourceDestCheck }) => id === eni && sourceDestCheck === false),
  );
};

/** The Route Server's peers, as its console has them. */
function picture(aws: Aws): string {
  const { endpoints } = aws.world.region(region);
  const lines = aws.world
    .region(region)
    .livePeers()
    .map(({ endpointId, address, state, session }) => {
      const endpoint = endpoints.find(({ id }) => id === endpointId);
      const words = [endpoint?.address ?? '', address, state, `session ${session}`];
      return words
        .map((word) => word.padEnd(14))
        .join('')
        .trim();
    });
  return ['ENDPOINT      PEER          STATE         SESSION', ...lines.sort()].join('\n');
}
