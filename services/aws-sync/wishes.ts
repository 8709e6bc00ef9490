/**
 * Which peers are wanted: one at each endpoint of its group for each router that there is room for.
 */
import type { CloudEndpoint, CloudPeer } from '../../core/cloud-door.ts';
import type { Group } from './groups.ts';
import type { Region } from './region.ts';
import { placeOf } from './world.ts';

export interface Wish {
  readonly place: string;
  readonly group: string;
  readonly endpoint: CloudEndpoint;
  readonly address: string;
  readonly node: string;
}

export interface Wishes {
  readonly wishes: readonly Wish[];
  /** Nodes that there is no room for, by name. */
  readonly crowded: readonly string[];
}

/** `keeps` tells peers that stay although no wish is for them: somebody else's, and frozen ones. */
export function wishesOf(
  groups: readonly Group[],
  region: Region,
  peersPerEndpoint: number,
  keeps: (peer: CloudPeer) => boolean,
): Wishes {
  const wishes: Wish[] = [];
  const crowded: string[] = [];
  for (const group of groups) {
    const { endpoints, key } = group;
    const addresses = new Set(group.routers.map(({ address }) => address));
    const taken = endpoints.map(({ id }) => {
      const others = region.on(id).filter((peer) => !addresses.has(peer.address));
      return others.filter(keeps).length;
    });
    const room = Math.max(0, peersPerEndpoint - Math.max(0, ...taken));
    const order = [...byStanding(group, region)];
    for (const { address, node } of order.slice(0, room))
      for (const endpoint of endpoints) {
        const place = placeOf({ endpoint: endpoint.id, address });
        wishes.push({ place, group: key, endpoint, address, node: node.name });
      }
    crowded.push(...order.slice(room).map(({ node }) => node.name));
  }
  wishes.sort((a, b) => (a.place < b.place ? -1 : 1));
  return { wishes, crowded: crowded.toSorted() };
}

/**
 * Who has peers stays; then by name: the same nodes at all endpoints of a group (`docs/aws.md`).
 */
function byStanding({ routers, endpoints }: Group, region: Region): Group['routers'] {
  const known = new Set(endpoints.flatMap(({ id }) => region.on(id)).map((peer) => peer.address));
  return routers.toSorted((a, b) => {
    const order = Number(known.has(b.address)) - Number(known.has(a.address));
    return order || (a.node.name < b.node.name ? -1 : 1);
  });
}
