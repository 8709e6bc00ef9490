/**
 * Where nodes have limited room: makes room for an address by moving others that nobody knows of
 * yet.
 */
import type { Address } from '../../core/address.ts';
import { mayTake } from './choice.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

/** An address that looks for a seat, and the one that would take its seat. */
interface Seeker {
  readonly claim: Claim;
  readonly address: Address;
  /** Where it sits now; the next one along the path takes that seat. */
  readonly seat: Host | undefined;
  readonly before: Seeker | undefined;
}

/**
 * Seats an address along a shortest augmenting path over addresses that were seated in this turn
 * (`reliability.md` B6.5); what was decided before never moves. False when there is no such path:
 * then every node that was reached is a dead end for this family until room comes free.
 */
export function augment(world: World, claim: Claim, address: Address): boolean {
  const first: Seeker = { claim, address, seat: undefined, before: undefined };
  const queue: Seeker[] = [first];
  const reached = new Set<Host>();
  for (let at = 0; at < queue.length; at++) {
    const seeker = queue[at];
    if (seeker === undefined) break;
    for (const host of hostsFor(world, seeker)) {
      if (reached.has(host) || world.deadEnds[seeker.address.family].has(host)) continue;
      if (isFree(host, seeker)) {
        shift(world, seeker, host);
        return true;
      }
      reached.add(host);
      queue.push(...evictable(host, seeker));
    }
  }
  for (const host of reached) world.deadEnds[address.family].add(host);
  return false;
}

/** The nodes that may host the seeker, if they had room. */
function hostsFor(world: World, { claim, address, seat }: Seeker): readonly Host[] {
  const { use } = claim;
  if (use === undefined) return [];
  const networks = world.pools.networksOf(address);
  const hosts = networks.flatMap((network) => world.pools.pool(use, network).hosts);
  const soft = claim.losses.get(address.text)?.soft === true;
  return hosts.filter(
    (host) => host !== seat && !(soft && host.draining) && mayTake(world, claim, address, host),
  );
}

function isFree(host: Host, { claim, address }: Seeker): boolean {
  return host.hasRoomFor(address) && siblingOn(host, claim) === undefined;
}

function siblingOn(host: Host, claim: Claim): string | undefined {
  for (const [address, home] of claim.homes) if (home.node === host.name) return address;
  return undefined;
}

/** Whoever could make way: the seeker's own sibling alone, else those whose leaving makes room. */
function evictable(host: Host, seeker: Seeker): readonly Seeker[] {
  const sibling = siblingOn(host, seeker.claim);
  const texts = sibling === undefined ? [...host.tenants.keys()].toSorted() : [sibling];
  const found: Seeker[] = [];
  for (const text of texts) {
    const claim = host.tenants.get(text);
    const address = claim?.wants.get(text);
    if (claim === undefined || address === undefined || !claim.fresh.has(text)) continue;
    if (!host.hasRoomAfter(text, seeker.address)) continue;
    found.push({ claim, address, seat: host, before: seeker });
  }
  return found;
}

/** Everybody along the path moves one seat on, from the free node back to the first seeker. */
function shift(world: World, last: Seeker, free: Host): void {
  let host: Host | undefined = free;
  for (let seeker: Seeker | undefined = last; seeker !== undefined && host !== undefined; ) {
    const { claim, address, seat }: Seeker = seeker;
    const previous = claim.homes.get(address.text)?.previous ?? '';
    world.unsettle(claim, address.text);
    world.settle(claim, address.text, host.name, previous);
    claim.fresh.add(address.text);
    host = seat;
    seeker = seeker.before;
  }
}
