/** Peers: immutable, asynchronous, and listed long after they are gone (facts 1.1). */
import { parseAddress } from '../../../core/address.ts';
import { type Ask, mutation, read } from '../ask.ts';
import { bfdOf, bgpOf } from '../bgp.ts';
import type { Endpoint, Liveness, Peer } from '../model.ts';
import { type Listing, page } from '../page.ts';
import { needed, tagSpecification, text } from '../params.ts';
import { invalidValue, Refusal, unknownId } from '../refusal.ts';
import { follow, plan } from '../settle.ts';
import type { Region } from '../state.ts';
import { newId } from '../world.ts';
import type { XmlObject } from '../xml.ts';
import { tagSet } from './tag-set.ts';
import { checkTagCount } from './tags.ts';

const peers = ({ region }: Ask): Listing<Peer> => ({
  shelf: region.peers,
  prefix: 'rsp',
  idParam: 'RouteServerPeerId',
  facetsOf: ({ state }) => ({ state: [state] }),
  filterNames: ['state'],
});

export const describeRouteServerPeers = read(['RouteServerPeerId'], (ask) => {
  const { items, nextToken } = page(ask, peers(ask));
  return { routeServerPeerSet: items.map((peer) => peerItem(ask.region, peer)), nextToken };
});

function peerItem(region: Region, peer: Peer): XmlObject {
  const endpoint = region.endpoints.get(peer.endpointId);
  return {
    routeServerPeerId: peer.id,
    routeServerEndpointId: peer.endpointId,
    routeServerId: endpoint?.serverId,
    vpcId: endpoint?.vpcId,
    subnetId: endpoint?.subnetId,
    state: peer.state,
    failureReason: peer.failureReason,
    endpointEniId: endpoint?.eniId,
    endpointEniAddress: endpoint?.address,
    peerAddress: peer.address,
    bgpOptions: { peerAsn: peer.asn, peerLivenessDetection: peer.liveness },
    bgpStatus: { status: bgpOf(region, peer) },
    bfdStatus: { status: bfdOf(region, peer) },
    tagSet: tagSet(peer.tags),
  };
}

const creates = ['RouteServerEndpointId', 'PeerAddress', 'BgpOptions', 'TagSpecification'];

export const createRouteServerPeer = mutation(creates, (ask) => {
  const { world, region, params, nowMs } = ask;
  const endpoint = usableEndpoint(region, needed(params, 'RouteServerEndpointId'));
  const address = addressIn(needed(params, 'PeerAddress'));
  const asn = asnIn(needed(params, 'BgpOptions.PeerAsn'));
  const liveness = livenessIn(text(params, 'BgpOptions.PeerLivenessDetection'));
  const tags = tagSpecification(params, 'route-server-peer');
  checkTagCount(tags);
  checkRoom(ask, endpoint, address);
  const visible = world.manners.tagOnCreate && world.manners.tagDelayMs === 0 ? tags : {};
  const id = newId(world, 'rsp');
  const peer: Peer = {
    id,
    endpointId: endpoint.id,
    address,
    asn,
    liveness,
    state: 'pending',
    tags: visible,
  };
  region.peers.put(peer, nowMs);
  if (world.manners.tagOnCreate && world.manners.tagDelayMs > 0)
    plan(region, { dueMs: nowMs + world.manners.tagDelayMs, id, from: '', tags });
  follow(world, region, peer, nowMs);
  return { routeServerPeer: peerItem(region, peer) };
});

function usableEndpoint(region: Region, id: string): Endpoint {
  const endpoint = region.endpoints.get(id);
  if (endpoint === undefined) throw unknownId('rse', [id]);
  if (endpoint.state !== 'available')
    throw new Refusal('IncorrectState', `${id} is in state ${endpoint.state}`);
  return endpoint;
}

function addressIn(value: string): string {
  const address = parseAddress(value);
  if (address?.family !== 4 || address.text !== value)
    throw invalidValue('PeerAddress', value, 'It must be an IPv4 address.');
  return value;
}

function asnIn(value: string): number {
  const asn = Number(value);
  if (!Number.isInteger(asn) || asn < 1 || asn > 4_294_967_295)
    throw invalidValue('PeerAsn', value, 'It must be between 1 and 4294967295.');
  return asn;
}

function livenessIn(value: string): Liveness {
  if (value === '' || value === 'bgp-keepalive') return 'bgp-keepalive';
  if (value === 'bfd') return value;
  throw invalidValue('PeerLivenessDetection', value);
}

/** What is not `deleted` counts, whoever made it, `deleting` included. */
function checkRoom({ world, region }: Ask, endpoint: Endpoint, address: string): void {
  const { manners } = world;
  const there = region.peers
    .all()
    .filter((peer) => peer.endpointId === endpoint.id && peer.state !== 'deleted');
  const same = there.find((peer) => peer.address === address);
  if (same !== undefined && manners.duplicatePeers === 'reject')
    throw new Refusal(
      manners.duplicateCode,
      `A peer with the address ${address} exists on ${endpoint.id}: ${same.id}`,
    );
  if (there.length >= manners.peersPerEndpoint)
    throw new Refusal(
      manners.quotaCode,
      `You have reached the limit of ${manners.peersPerEndpoint} peers on ${endpoint.id}`,
    );
}

export const deleteRouteServerPeer = mutation(['RouteServerPeerId'], (ask) => {
  const { world, region, params, nowMs } = ask;
  const id = needed(params, 'RouteServerPeerId');
  const peer = region.peers.get(id);
  if (peer === undefined) throw unknownId('rsp', [id]);
  if (!['available', 'failing', 'failed'].includes(peer.state))
    throw new Refusal('IncorrectState', `${id} is in state ${peer.state}`);
  const leaving = region.peers.put({ ...peer, state: 'deleting' }, nowMs);
  follow(world, region, leaving, nowMs);
  return { routeServerPeer: peerItem(region, leaving) };
});
