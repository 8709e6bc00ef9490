/** How an address is given a seat that nobody has been told of yet. */
import type { Claim } from './claim.ts';
import type { World } from './world.ts';

/**
 * Seats a homeless address. On a drained node, which is better than none, it does not come to rest:
 * it will leave for any other.
 */
export function seatAt(
  world: World,
  claim: Claim,
  address: string,
  node: string,
  previous: string,
): void {
  claim.refusals.delete(address);
  claim.fresh.add(address);
  if (world.host(node).draining) {
    claim.restless.add(address);
    claim.use?.waiting.add(claim);
  } else claim.restless.delete(address);
  world.settle(claim, address, node, previous === node ? '' : previous);
  // Whoever wants the same address is told where it is held now.
  world.stirWanters(address, claim.causes[0], claim);
}

/**
 * Whether the address was seated on its drained node in this very turn, for want of a better one:
 * it stays until that is told, else two of them would make each other think again for ever.
 */
export function hasJustSatDown({ restless, fresh }: Claim, address: string): boolean {
  return restless.has(address) && fresh.has(address);
}

/** Forgets who was restless, but for those who have only just sat down. */
export function forgetRestless(claim: Claim): void {
  for (const address of claim.restless)
    if (!hasJustSatDown(claim, address) || !claim.homes.has(address))
      claim.restless.delete(address);
}
