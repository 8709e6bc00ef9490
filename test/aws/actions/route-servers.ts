/** Reads of Route Servers, their endpoints, and what they are tied to. */
import { type Ask, read } from '../ask.ts';
import type { Endpoint, RouteServer } from '../model.ts';
import { type Listing, page } from '../page.ts';
import { needed } from '../params.ts';
import { Refusal, unknownId } from '../refusal.ts';
import type { XmlObject } from '../xml.ts';
import { tagSet } from './tag-set.ts';

const servers = ({ region }: Ask): Listing<RouteServer> => ({
  shelf: region.servers,
  prefix: 'rs',
  idParam: 'RouteServerId',
  facetsOf: ({ state }) => ({ state: [state] }),
  filterNames: ['state'],
});

export const describeRouteServers = read(['RouteServerId'], (ask) => {
  const { items, nextToken } = page(ask, servers(ask));
  return { routeServerSet: items.map(serverItem), nextToken };
});

const serverItem = (server: RouteServer): XmlObject => ({
  routeServerId: server.id,
  amazonSideAsn: server.asn,
  state: server.state,
  persistRoutesState: server.persistRoutes,
  snsNotificationsEnabled: false,
  tagSet: tagSet(server.tags),
});

const endpoints = ({ region }: Ask): Listing<Endpoint> => ({
  shelf: region.endpoints,
  prefix: 'rse',
  idParam: 'RouteServerEndpointId',
  facetsOf: ({ state }) => ({ state: [state] }),
  filterNames: ['state'],
});

export const describeRouteServerEndpoints = read(['RouteServerEndpointId'], (ask) => {
  const { items, nextToken } = page(ask, endpoints(ask));
  return { routeServerEndpointSet: items.map(endpointItem), nextToken };
});

/** An endpoint has no interface to speak of while it is pending (facts 1.1). */
function endpointItem(endpoint: Endpoint): XmlObject {
  const pending = endpoint.state === 'pending';
  return {
    routeServerId: endpoint.serverId,
    routeServerEndpointId: endpoint.id,
    vpcId: endpoint.vpcId,
    subnetId: endpoint.subnetId,
    eniId: pending ? undefined : endpoint.eniId,
    eniAddress: pending ? undefined : endpoint.address,
    state: endpoint.state,
    failureReason: endpoint.failureReason,
    tagSet: tagSet(endpoint.tags),
  };
}

function serverOf({ region, params, asOfMs }: Ask): RouteServer {
  const id = needed(params, 'RouteServerId');
  const server = region.servers.at(id, asOfMs);
  if (server === undefined) throw unknownId('rs', [id]);
  return server;
}

export const getRouteServerAssociations = read(['RouteServerId'], (ask) => {
  const { id, vpcId, associated } = serverOf(ask);
  if (!associated)
    throw new Refusal('InvalidRouteServerId.NotAssociated', `${id} is not associated with a VPC`);
  return { routeServerAssociationSet: [{ routeServerId: id, vpcId, state: 'associated' }] };
});

export const getRouteServerPropagations = read(['RouteServerId', 'RouteTableId'], (ask) => {
  const { id, routeTables } = serverOf(ask);
  if (routeTables.length === 0)
    throw new Refusal('InvalidRouteServerId.NotPropagated', `${id} propagates to no route table`);
  const items = routeTables.map((table) => ({
    routeServerId: id,
    routeTableId: table,
    state: 'available',
  }));
  return { routeServerPropagationSet: items };
});

export const getRouteServerRoutingDatabase = read(['RouteServerId'], (ask) => {
  const { routes, routeTables, persistRoutes } = serverOf(ask);
  const items = routes.map((route) => ({
    routeServerEndpointId: route.endpointId,
    routeServerPeerId: route.peerId,
    routeInstallationDetailSet: routeTables.map((table) => ({
      routeTableId: table,
      routeInstallationStatus: route.installation,
      routeInstallationStatusReason: route.reason,
    })),
    routeStatus: route.status,
    prefix: route.prefix,
    asPathSet: route.asPath.map(String),
    med: route.med,
    nextHopIp: route.nextHop,
  }));
  return { areRoutesPersisted: persistRoutes === 'enabled', routeSet: items };
});
