/** The nodes that may take an address now, best first. */
import type { Address } from '../../core/address.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { byLoadThenName } from './pool.ts';
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
  const siblings = new Set([...claim.homes.values()].map(({ node }) => node));
  const found = new Map<string, Candidate>();
  const networks = world.pools.networksOf(address);
  for (const kind of ['secondary', 'ovn'] as const) {
    if (found.size >= most) break;
    const hosts = new Map<string, Host>();
    for (const network of networks) {
      if (network.kind !== kind) continue;
      let taken = 0;
      for (const host of world.pools.pool(use, network)) {
        if (taken >= most) break;
        if (siblings.has(host.name) || found.has(host.name)) continue;
        if (host.networkOf(address)?.kind !== kind) continue;
        hosts.set(host.name, host);
        taken++;
      }
    }
    const best = [...hosts.values()].sort(byLoadThenName).slice(0, most - found.size);
    for (const host of best) found.set(host.name, { host, distance: kind === 'ovn' ? 1 : 0 });
  }
  return [...found.values()];
}

/** Whether any usable node of the selector has a network for the address, siblings aside. */
export function hasNetwork(world: World, claim: Claim, address: Address): boolean {
  const use = claim.use;
  if (use === undefined) return false;
  return world.pools
    .networksOf(address)
    .some((network) => world.pools.pool(use, network).size > 0);
}
