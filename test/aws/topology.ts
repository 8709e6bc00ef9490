/** A Route Server as people build it: some zones, a subnet, two endpoints and nodes in each. */
import type { Endpoint, RouteServer, Subnet } from './model.ts';
import type { RegionControl } from './region.ts';
import type { Machine } from './machine.ts';

export interface Topology {
  readonly server: RouteServer;
  readonly subnets: readonly Subnet[];
  readonly endpoints: readonly Endpoint[];
  readonly nodes: readonly Machine[];
}

export interface TopologySize {
  readonly zones?: number;
  /** Nodes in all, dealt out to the zones in turn. */
  readonly nodes?: number;
  readonly endpointsPerZone?: number;
  /** Of the Route Server. */
  readonly asn?: number;
}

/** Three zones, six endpoints and three nodes unless it is told otherwise: the size of the PoC. */
export function topology(region: RegionControl, size: TopologySize = {}): Topology {
  const { zones = 3, nodes = 3, endpointsPerZone = 2, asn = 65_000 } = size;
  const server = region.routeServer({ asn });
  // A /24 as in the PoC, unless the nodes of a zone need more.
  const wide = nodes / zones > 200;
  const subnets = Array.from({ length: zones }, (_, zone) =>
    region.subnet(wide ? { cidr: `10.${zone + 1}.0.0/16` } : {}),
  );
  const endpoints = subnets.flatMap((subnet) =>
    Array.from({ length: endpointsPerZone }, () => region.endpoint(server.id, subnet.id)),
  );
  const machines = Array.from({ length: nodes }, (_, index) =>
    region.instance({ subnet: subnets[index % zones]?.id ?? '' }),
  );
  return { server, subnets, endpoints, nodes: machines };
}
