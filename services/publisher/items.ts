/** Which items an EgressIP's status is to have at this moment. */
import type { Item } from '../../core/fact.ts';
import type { Look } from './input.ts';
import type { Thing, Wanted } from './object.ts';
import type { World } from './world.ts';

/**
 * The wanted items, less those that the cloud has not confirmed, less those that another object
 * still has: an address leaves one status before it enters another's. The thing is told when such
 * an address becomes free. What stands in its own status already stays there, whatever a stranger
 * wrote into another's.
 */
export function itemsOf(world: World, thing: Thing, wanted: Wanted): readonly Item[] {
  return wanted.items.filter((item) => {
    if (wanted.cloud && !isGranted(world, thing, item)) return false;
    return has(thing.items, item.egressIP) || isFree(world, thing, item.egressIP);
  });
}

function isFree(world: World, thing: Thing, address: string): boolean {
  const holders = world.holders.get(address);
  if (holders === undefined || [...holders].every((holder) => holder === thing)) return true;
  const waiters = world.waiters.get(address) ?? new Set();
  world.waiters.set(address, waiters.add(thing));
  return false;
}

const has = (items: readonly Item[], address: string): boolean =>
  items.some(({ egressIP }) => egressIP === address);

/**
 * Whether the cloud has the address where it is wanted, for this object (`spec/egressip.md` 5.5). A
 * claim without an owner is none of ours: what it brought into the status stays, nothing is added.
 */
function isGranted(world: World, thing: Thing, { egressIP, node }: Item): boolean {
  const claim = world.claims.known(egressIP);
  const seen = claim?.seen;
  if (claim === undefined || seen === undefined) return false;
  if (claim.isDeleting || claim.acting !== undefined) return false;
  if (seen.owner === '')
    return thing.items.some((item) => item.egressIP === egressIP && item.node === node);
  if (seen.owner !== thing.name || seen.assigned !== 'True') return false;
  return seen.node === node && seen.statusNode === node;
}

/** What is to be looked at before these items are written: nothing enters a status on hearsay. */
export function looksOf(world: World, thing: Thing, items: readonly Item[]): readonly Look[] {
  const fresh = items.filter(
    ({ egressIP, node }) =>
      !thing.items.some((item) => item.egressIP === egressIP && item.node === node),
  );
  const absent = fresh.flatMap(({ egressIP }) => absentLooks(world, thing, egressIP));
  if (thing.wanted?.cloud !== true) return absent;
  const confirmed = fresh.map(({ egressIP, node }): Look => {
    const name = world.claims.of(egressIP).name;
    return { kind: 'Confirmed', name, owner: thing.name, node };
  });
  return [...absent, ...confirmed];
}

/** Whoever had the address must have let it go, in the cluster and not only in the facts. */
function absentLooks(world: World, thing: Thing, address: string): Look[] {
  const former = [...(world.formerHolders.get(address) ?? [])];
  const others = former.filter((holder) => holder !== thing && holder.uid !== '');
  return others.map(({ name }) => ({ kind: 'Absent', name, address }));
}
