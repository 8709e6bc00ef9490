/** Sessions as the Route Server reports them: up iff both sides agree and the node lives. */
import type { Endpoint, Peer, Session } from './model.ts';
import type { Region } from './state.ts';

/** The BGP session of a peer: as a test has set it, else what the node's FRR makes of it. */
export function bgpOf(region: Region, peer: Peer): Session {
  if (peer.state !== 'available' && peer.state !== 'failing') return 'down';
  if (peer.bgp !== undefined) return peer.bgp;
  const speaker = region.speakers.get(peer.address);
  const endpoint = region.endpoints.get(peer.endpointId);
  if (speaker === undefined || !isServing(endpoint)) return 'down';
  const dials = speaker.neighbors?.includes(endpoint.address) ?? true;
  return dials && speaker.asn === peer.asn && isAlive(region, peer.address) ? 'up' : 'down';
}

export function bfdOf(region: Region, peer: Peer): Session {
  if (peer.bfd !== undefined && peer.state === 'available') return peer.bfd;
  const able = peer.liveness === 'bfd' && region.speakers.get(peer.address)?.bfd === true;
  return able && bgpOf(region, peer) === 'up' ? 'up' : 'down';
}

const isServing = (endpoint: Endpoint | undefined): endpoint is Endpoint =>
  endpoint?.state === 'available' || endpoint?.state === 'failing';

function isAlive(region: Region, address: string): boolean {
  const eni = region.interfaces.all().find((one) => one.address === address);
  return region.instances.get(eni?.instanceId ?? '')?.state === 'running';
}

/** The zone that a peer serves: that of its endpoint's subnet. */
export function zoneOf(region: Region, peer: Peer): string {
  const subnet = region.endpoints.get(peer.endpointId)?.subnetId ?? '';
  return region.subnets.get(subnet)?.zone ?? '';
}
