/** What was seen, for the log: told when it is news. */
import type { AwsFact, SeenEndpoint, SeenPeer, SeenRouteServer } from '../../core/aws-fact.ts';
import type { CloudEndpoint, CloudPeer } from '../../core/cloud-door.ts';
import { ownerOf } from './ledger.ts';
import type { Plan } from './plan.ts';
import type { Region } from './region.ts';
import { isConfigured, type Mode } from './scope.ts';
import { nodeOf } from './unwanted-peers.ts';
import { placeOf, VANISHED, type World } from './world.ts';
import { interfaceSeen, peersSeen, serversSeen } from './words.ts';

const byKey = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

export function tellRegion(world: World, mode: Mode, region: Region, plan: Plan): void {
  tellServers(world, mode, region);
  tellPeers(world, mode, region, plan);
  tellInterfaces(world, region);
}

/** Those that are configured, and those that hold something of ours. */
function tellServers(world: World, mode: Mode, region: Region): void {
  const holding = new Set(
    [...region.peers.values()]
      .filter((peer) => ownerOf(world, peer) === 'ours')
      .map(({ server }) => server),
  );
  const shown = [...region.servers.values()].filter(
    ({ id }) => isConfigured(mode, region.name, id) || holding.has(id),
  );
  const servers = byKey(shown, ({ id }) => id).map((server): SeenRouteServer => {
    const { id, state, asn, persistRoutes } = server;
    return { id, state, asn, persistRoutes, endpoints: endpointsOf(region, id) };
  });
  const event: AwsFact = { kind: 'RouteServersSeen', region: region.name, servers };
  const isNothing = servers.length === 0 && !world.told.has(`routeservers/${region.name}`);
  if (!isNothing) world.tell(event, serversSeen(servers));
}

function endpointsOf(region: Region, server: string): SeenEndpoint[] {
  const listed = [...region.endpoints.values()].filter(({ state }) => state !== 'deleted');
  const vanished = [...region.served.values()]
    .filter(({ endpoint }) => !region.endpoints.has(endpoint.id))
    .map(({ endpoint }): CloudEndpoint => ({ ...endpoint, state: VANISHED }));
  const own = [...listed, ...vanished].filter((endpoint) => endpoint.server === server);
  return byKey(own, ({ id }) => id).map(({ id, state, subnet, address, because }) => {
    const zone = region.subnets.get(subnet)?.zone ?? region.served.get(id)?.zone ?? '';
    return { id, state, subnet, zone, address, because };
  });
}

/** The recorded inventory; an endpoint that has no peers any more is told once. */
function tellPeers(world: World, mode: Mode, region: Region, plan: Plan): void {
  const nodes = new Map(
    plan.groups.flatMap(({ endpoints, routers }) =>
      endpoints.flatMap(({ id: endpoint }) =>
        routers.map(({ address, node }) => [placeOf({ endpoint, address }), node.name] as const),
      ),
    ),
  );
  const endpoints = new Map<string, string>();
  for (const peer of region.peers.values())
    if (isConfigured(mode, region.name, peer.server) || ownerOf(world, peer) === 'ours')
      endpoints.set(peer.endpoint, peer.server);
  for (const { event } of world.told.values())
    if (event.kind === 'PeersSeen' && event.region === region.name && event.peers.length > 0)
      endpoints.set(event.endpoint, event.server);
  for (const endpoint of [...endpoints.keys()].toSorted()) {
    const seen = byKey(region.on(endpoint), ({ address, id }) => `${address} ${id}`);
    const peers = seen.map((peer) => seenPeer(world, peer, nodes.get(placeOf(peer))));
    const server = endpoints.get(endpoint) ?? '';
    const event: AwsFact = { kind: 'PeersSeen', region: region.name, server, endpoint, peers };
    world.tell(event, peersSeen(peers));
  }
}

function seenPeer(world: World, peer: CloudPeer, node: string | undefined): SeenPeer {
  const { id, address, asn, liveness, state, bgp, bfd, owner, because } = peer;
  const ours = ownerOf(world, peer) === 'ours';
  const of = node ?? (ours ? nodeOf(world, peer) : '');
  return { id, address, asn, liveness, state, bgp, bfd, owner, ours, node: of, because };
}

function tellInterfaces(world: World, region: Region): void {
  for (const [name, id] of world.instances) {
    const instance = region.instances.get(id);
    const node = instance && world.nodes.get(name);
    if (node === undefined || instance === undefined) continue;
    const { state, interface: eni, subnet, address, sourceDestCheck } = instance;
    const event: AwsFact = {
      ...{ kind: 'InterfaceSeen', node: name, uid: node.uid, region: region.name },
      ...{ instance: instance.id, state, interface: eni, subnet, address, sourceDestCheck },
    };
    world.tell(event, interfaceSeen(event));
  }
}

/** Nodes that are gone, or whose instance is of no interest any more. */
export function forgetInterfaces(world: World, regions: readonly Region[]): void {
  for (const { event } of [...world.told.values()]) {
    if (event.kind !== 'InterfaceSeen') continue;
    const { node, uid, instance } = event;
    const isKnown = world.nodes.get(node)?.uid === uid;
    const isLooked = regions.length === 0 || regions.some((one) => one.instances.has(instance));
    if (isKnown && isLooked && regions.length > 0) continue;
    const isBlind = regions.some((one) => !one.trusted || one.blind !== undefined);
    if (isKnown && isBlind) continue;
    world.tell({ kind: 'InterfaceGone', node, uid }, 'not of interest any more');
  }
}

/** There is no config any more: nothing of it is to be remembered. */
export function forgetAll(world: World): void {
  for (const { event } of [...world.told.values()]) {
    if (event.kind === 'PeersSeen' && event.peers.length > 0)
      world.tell({ ...event, peers: [] }, 'not looked at any more');
    else if (event.kind === 'RouteServersSeen' && event.servers.length > 0)
      world.tell({ ...event, servers: [] }, 'not looked at any more');
    else if (event.kind === 'NeighborsSeen' && event.groups.length > 0)
      world.tell({ ...event, groups: [] }, 'no neighbors any more');
  }
  forgetInterfaces(world, []);
}
