/** Endpoints and nodes that can have sessions: by zone, or by subnet where a zone has several. */
import type { AwsScope } from '../../core/bgp-fact.ts';
import type { CloudEndpoint } from '../../core/cloud-door.ts';
import type { Region, Served } from './region.ts';
import type { Standing } from './standing.ts';
import type { World } from './world.ts';

export interface Group {
  /** The zone, or `zone/subnet`. */
  readonly key: string;
  readonly zone: string;
  /** Those that nodes have as neighbours, by id. */
  readonly endpoints: readonly CloudEndpoint[];
  /** The ASN of each of them. */
  readonly asns: readonly number[];
  /** Those that can have peers: ready, and on the same subnet as far as that is known. */
  readonly routers: readonly Standing[];
  /** Host names of its nodes; empty = the zone's label selects no others. */
  readonly hosts: readonly string[];
}

/**
 * A session is a single hop, hence endpoint and node must be on one subnet (facts S11): what shares
 * only the zone is no group.
 */
export function groupsOf(
  world: World,
  scope: AwsScope,
  region: Region,
  routers: readonly Standing[],
): readonly Group[] {
  const served = servedOf(world, scope, region);
  const zones = [...new Set(served.map(({ zone }) => zone))].toSorted();
  return zones.flatMap((zone) => {
    const here = served.filter((one) => one.zone === zone);
    const subnets = [...new Set(here.map(({ endpoint }) => endpoint.subnet))].toSorted();
    const local = routers.filter((router) => router.zone === zone && router.state !== 'gone');
    return subnets.flatMap((subnet) => groupOf(zone, subnet, subnets.length > 1, here, local));
  });
}

function groupOf(
  zone: string,
  subnet: string,
  several: boolean,
  served: readonly Served[],
  local: readonly Standing[],
): readonly Group[] {
  const fitting = local.filter((router) => router.subnet === subnet || router.subnet === '');
  const byHost = several || fitting.length < local.length;
  if (byHost && fitting.length === 0) return [];
  const own = served.filter(({ endpoint }) => endpoint.subnet === subnet);
  return [
    {
      key: several ? `${zone}/${subnet}` : zone,
      zone,
      endpoints: own.map(({ endpoint }) => endpoint),
      asns: own.map(({ asn }) => asn),
      routers: fitting.filter(({ state }) => state === 'ready'),
      hosts: byHost ? fitting.map(({ host }) => host).toSorted() : [],
    },
  ];
}

/**
 * The endpoints that count, by id. One that is not listed any more, and was not seen going, counts
 * for a while, and so does the last one of a zone: a shrinking answer is no proof (W-46).
 */
function servedOf(world: World, scope: AwsScope, region: Region): readonly Served[] {
  const { vanishedMs } = world.settings.times;
  const all = [...region.served.values()]
    .filter(({ endpoint }) => scope.routeServerIDs.includes(endpoint.server))
    .filter(({ endpoint, seenMs }) => !isOver(region, endpoint, seenMs + vanishedMs))
    .toSorted((a, b) => (a.endpoint.id < b.endpoint.id ? -1 : 1));
  const going = all.filter(({ endpoint }) => isGoing(region, endpoint));
  const last = going.filter(({ zone }) =>
    all.every((other) => other.zone !== zone || going.includes(other)),
  );
  return all.filter((one) => !going.includes(one) || last.includes(one));
}

/** A Route Server that is not found at all says nothing of its endpoints. */
function isOver(region: Region, { id, server }: CloudEndpoint, untilMs: number): boolean {
  return region.servers.has(server) && region.picturedMs >= untilMs && !isThere(region, id);
}

function isThere(region: Region, id: string): boolean {
  const state = region.endpoints.get(id)?.state ?? '';
  return state === 'available' || state === 'failing';
}

/** It is listed as one that serves nobody any more. */
function isGoing(region: Region, { id }: CloudEndpoint): boolean {
  return region.endpoints.has(id) && !isThere(region, id);
}
