/** Reads a region: servers, endpoints, peers, subnets and the instances of nodes. */
import type {
  CloudInstance,
  CloudPeer,
  CloudSubnet,
  Failure,
  Picture,
} from '../../core/cloud-door.ts';
import type { Ec2 } from '../ec2.ts';
import { CallFailed, type Desk } from './desk.ts';
import { endpointOf, instancesOf, peerOf, serverOf, subnetOf } from './read.ts';

/** Known to be accepted; the largest that the Route Server calls take is not documented. */
const PAGE = 100;
/** So many values may stand in the filters of one call (facts 1.4). */
const FILTER_VALUES = 200;

type Zones = Map<string, { readonly zone: string; readonly cidr: string }>;

/**
 * Lists without filters and chooses on this side: EC2 rejects some filters of these calls, and an
 * unknown id fails the whole call (facts 1.3).
 * @throws CallFailed, and then there is no picture at all.
 */
export async function discover(
  desk: Desk,
  ec2: Ec2,
  zones: Zones,
  instances: readonly string[],
): Promise<Picture> {
  const MaxResults = PAGE;
  const servers = await desk.all(ec2, 'DescribeRouteServers', { MaxResults }, 'RouteServers');
  const found = await desk.all(
    ec2,
    ...(['DescribeRouteServerEndpoints', { MaxResults }, 'RouteServerEndpoints'] as const),
  );
  const endpoints = found.map(endpointOf);
  const peers = await listPeers(desk, ec2);
  const dead = ['deleted', 'deleting'];
  const living = endpoints.filter(({ state }) => !dead.includes(state));
  await learnZones(desk, ec2, zones, [...new Set(living.map(({ subnet }) => subnet))]);
  const looked = await look(desk, ec2, instances);
  const subnets = [...zones].map(([id, known]): CloudSubnet => ({ id, ...known }));
  return { servers: servers.map(serverOf), endpoints, subnets, peers, ...looked };
}

/** @throws CallFailed */
export async function listPeers(desk: Desk, ec2: Ec2): Promise<readonly CloudPeer[]> {
  const input = { MaxResults: PAGE };
  const peers = await desk.all(ec2, 'DescribeRouteServerPeers', input, 'RouteServerPeers');
  return peers.map(peerOf);
}

/** Asks for those only that are not known yet; by filter, for one may be gone (facts R14). */
async function learnZones(
  desk: Desk,
  ec2: Ec2,
  zones: Zones,
  subnets: readonly string[],
): Promise<void> {
  for (const Values of chunks(subnets.filter((id) => id !== '' && !zones.has(id)))) {
    const input = { Filters: [{ Name: 'subnet-id', Values }], MaxResults: PAGE };
    const items = await desk.all(ec2, 'DescribeSubnets', input, 'Subnets');
    for (const { id, zone, cidr } of items.map(subnetOf))
      if (zone !== '') zones.set(id, { zone, cidr });
  }
}

/** By filter: one id that is not there would fail all the others (facts R09). */
async function look(
  desk: Desk,
  ec2: Ec2,
  ids: readonly string[],
): Promise<{ instances: readonly CloudInstance[]; blind: Failure | undefined }> {
  const instances: CloudInstance[] = [];
  try {
    for (const Values of chunks(ids)) {
      const input = { Filters: [{ Name: 'instance-id', Values }], MaxResults: 1000 };
      const items = await desk.all(ec2, 'DescribeInstances', input, 'Reservations');
      instances.push(...items.flatMap(instancesOf));
    }
  } catch (error) {
    if (!(error instanceof CallFailed) || error.failure.trouble !== 'permission') throw error;
    return { instances: [], blind: error.failure };
  }
  return { instances, blind: undefined };
}

function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += FILTER_VALUES)
    yield ids.slice(from, from + FILTER_VALUES);
}
