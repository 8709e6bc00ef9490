/** The nodes that may take an address now, best first. */
import type { Address } from '../../core/address.ts';
import { isResting } from './cloud.ts';
import type { Claim } from './claim.ts';
import type { Host, Network } from './host.ts';
import { byLoadThenName } from './pool.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

export interface Candidate {
  readonly host: Host;
  /** 0 on a secondary host network, 1 on the OVN network: the former is preferred. */
  readonly distance: 0 | 1;
}

/**
 * The best `most` candidates by preference, load, name. More are never needed: when `most` addresses
 * of one claim choose, one of the best `most` is always free for each.
 */
export function candidatesFor(
  world: World,
  claim: Claim,
  address: Address,
  most: number,
): readonly Candidate[] {
  const use = claim.use;
  if (use === undefined || use.usable === 0) return [];
  const siblings = [...claim.homes.values()].map(({ node }) => node);
  const free = (host: Host): boolean =>
    !siblings.includes(host.name) &&
    host.hasRoomFor(address) &&
    (claim.rests.length === 0 || !isResting(world, claim, address.text, host.name));
  const near = bestOf(world, use, address, 'secondary', most, free);
  const far = bestOf(world, use, address, 'ovn', most - near.length, free);
  return [
    ...near.map((host): Candidate => ({ host, distance: 0 })),
    ...far.map((host): Candidate => ({ host, distance: 1 })),
  ];
}

/** The least loaded hosts that would host the address on a network of this kind. */
function bestOf(
  world: World,
  use: Use,
  address: Address,
  kind: Network['kind'],
  most: number,
  free: (host: Host) => boolean,
): readonly Host[] {
  if (most <= 0) return [];
  const networks = world.pools.networksOf(address, kind);
  const found: Host[] = [];
  for (const network of networks) {
    let taken = 0;
    for (const host of world.pools.pool(use, network).hosts) {
      if (taken >= most) break;
      // A host with several such networks stands in several pools; the OVN network comes first.
      if (!free(host) || found.includes(host) || host.networkOf(address)?.kind !== kind) continue;
      found.push(host);
      taken++;
    }
  }
  return networks.length < 2 ? found : found.sort(byLoadThenName).slice(0, most);
}

/** The usable nodes of the selector that have a network for the address, whatever else they have. */
export function hostsWithNetwork(world: World, claim: Claim, address: Address): readonly Host[] {
  const use = claim.use;
  if (use === undefined) return [];
  return (['secondary', 'ovn'] as const).flatMap((kind) =>
    world.pools.networksOf(address, kind).flatMap((network) => world.pools.pool(use, network).hosts),
  );
}
