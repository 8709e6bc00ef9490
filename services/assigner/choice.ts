/**
 * What counts for choosing a node only: room in the cloud, and nodes that failed for the address.
 */
import type { Address } from '../../core/address.ts';
import { isResting } from './cloud.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { verdictOf } from './verdict.ts';
import type { World } from './world.ts';

/** Whether the node may host the address, if it has room. */
export function mayTake(world: World, claim: Claim, address: Address, host: Host): boolean {
  return (
    verdictOf(claim, address, host) === 'may host' &&
    (claim.rests.length === 0 || !isResting(world, claim, address.text, host.name))
  );
}
