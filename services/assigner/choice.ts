/**
 * What counts for choosing a node only: room in the cloud, and nodes that failed for the address.
 */
import type { Address } from '../../core/address.ts';
import { isResting } from './cloud.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import type { World } from './world.ts';

/** Whether the node may host the address, if it has room. */
export function mayTake(world: World, claim: Claim, address: Address, host: Host): boolean {
  return (
    verdictOf(claim, address, host) === 'may host' &&
    (claim.rests.length === 0 || !isResting(world, claim, address.text, host.name))
  );
}

/** The verdict on a node for an address that has no home there. */
export function choiceOf(
  world: World,
  claim: Claim,
  address: Address,
  host: Host,
): Verdict | 'full' | 'resting' {
  const verdict = verdictOf(claim, address, host);
  if (verdict !== 'may host' || claim.homes.get(address.text)?.node === host.name) return verdict;
  if (isResting(world, claim, address.text, host.name)) return 'resting';
  return host.hasRoomFor(address) ? verdict : 'full';
}
