/** The nodes that may take an address now, best first. */
import type { Address } from '../../core/address.ts';
import { isResting } from './cloud.ts';
import type { Claim } from './claim.ts';
import type { Host, Network } from './host.ts';
import { byLoadThenName } from './pool.ts';
import type { World } from './world.ts';

export interface Candidate {
  readonly host: Host;
  /** How little it is liked, load aside; 0 is best. Whoever is liked better is taken first. */
  readonly distance: number;
}

/** A node that is being drained is worse than any other, but better than none. */
const DRAINING = 4;
/** A secondary host network is preferred to the OVN network (`spec/egressip.md` 3.2.3.3). */
const OVN = 2;
/** The EgressIP says which nodes it prefers (`sluice.dev/prefer`). */
const NOT_PREFERRED = 1;

/**
 * The best `most` candidates by preference, load, name. More are never needed: when `most`
 * addresses of one claim choose, one of the best `most` is always free for each.
 */
export function candidatesFor(
  world: World,
  claim: Claim,
  address: Address,
  most: number,
): readonly Candidate[] {
  if (claim.use === undefined || claim.use.usable === 0) return [];
  const found: Candidate[] = [];
  const networks = world.pools.networksOf(address);
  const several = networks.length > 1;
  for (const network of networks) collect(world, { claim, address, network, several, most, found });
  if (!isInOrder(found)) found.sort(byDistanceThenLoad);
  return found.length <= most ? found : found.slice(0, most);
}

/** A pool is in order by itself: to sort what is sorted would cost more than to find it. */
function isInOrder(found: readonly Candidate[]): boolean {
  return found.every((one, at) => {
    const before = found[at - 1];
    return before === undefined || byDistanceThenLoad(before, one) <= 0;
  });
}

/** What is looked for in one pool. */
interface Search {
  readonly claim: Claim;
  readonly address: Address;
  readonly network: Network;
  /** More networks than this one contain the address: a node may have it by another. */
  readonly several: boolean;
  readonly most: number;
  readonly found: Candidate[];
}

/** Adds the best of one pool, as many of each distance as could ever be taken. */
function collect(world: World, search: Search): void {
  const { claim, address, network, several, most, found } = search;
  const { use, prefer } = claim;
  if (use === undefined) return;
  let taken = 0;
  world.pools.pool(use, network).walk((host) => {
    if (hosts(claim, host)) return true;
    if (several && isTakenOtherwise(search, host)) return true;
    if (!isOpen(world, claim, address, host)) return true;
    const distance = distanceOf(claim, host, network);
    found.push({ host, distance });
    // Without preferences the pool is in order: the first ones are the best ones.
    return distance >= DRAINING || ++taken < most || prefer !== undefined;
  });
}

/** Whether it was found in another pool, or would have the address on a network of another kind. */
function isTakenOtherwise({ address, network, found }: Search, host: Host): boolean {
  if (found.some((one) => one.host === host)) return true;
  return host.networkOf(address)?.kind !== network.kind;
}

function hosts(claim: Claim, host: Host): boolean {
  if (claim.homes.size === 0) return false;
  for (const { node } of claim.homes.values()) if (node === host.name) return true;
  return false;
}

function isOpen(world: World, claim: Claim, address: Address, host: Host): boolean {
  if (!host.hasRoomFor(address)) return false;
  if (host.draining && claim.losses.get(address.text)?.soft === true) return false;
  return claim.rests.length === 0 || !isResting(world, claim, address.text, host.name);
}

function distanceOf(claim: Claim, host: Host, { kind }: Network): number {
  const liked = claim.prefer === undefined || claim.prefer.matches(host.labels);
  return (host.draining ? DRAINING : 0) + (kind === 'ovn' ? OVN : 0) + (liked ? 0 : NOT_PREFERRED);
}

function byDistanceThenLoad(a: Candidate, b: Candidate): number {
  return a.distance - b.distance || byLoadThenName(a.host, b.host);
}

/**
 * The usable nodes of the selector that have a network for the address, whatever else they have.
 */
export function hostsWithNetwork(world: World, claim: Claim, address: Address): readonly Host[] {
  const use = claim.use;
  if (use === undefined) return [];
  const networks = world.pools.networksOf(address);
  return networks.flatMap((network) => world.pools.pool(use, network).all());
}
