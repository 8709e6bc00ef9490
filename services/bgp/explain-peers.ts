/** What AWS says of each session: the peer of a node at a neighbour, as aws-sync saw it last. */
import type { BgpPicture } from './explain-picture.ts';

/** By `node address-of-the-neighbour`: `up`, `down`, or the state of the peer while it has none. */
export type Peers = Readonly<Record<string, string>>;

export const peerKey = (node: string, neighbor: string): string => `${node} ${neighbor}`;

/** Undefined where aws-sync has told of no Route Server. */
export function peersOf(picture: BgpPicture): Peers | undefined {
  const addresses = new Map<string, string>();
  for (const { event } of picture)
    if (event.kind === 'RouteServersSeen')
      for (const { endpoints } of event.servers)
        for (const { id, address } of endpoints) addresses.set(id, address);
  if (addresses.size === 0) return undefined;
  const peers: Record<string, string> = {};
  for (const { event } of picture)
    if (event.kind === 'PeersSeen')
      for (const { node, state, bgp, ours } of event.peers)
        if (ours && node !== '')
          peers[peerKey(node, addresses.get(event.endpoint) ?? '')] =
            state === 'available' && bgp !== '' ? bgp : state;
  return peers;
}
