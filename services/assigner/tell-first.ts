/**
 * What is told before all else in a turn, so that each beginning of it is a legal state (law 6).
 */
import type { Saying } from '../../core/event.ts';
import type { Claim, Decided } from './claim.ts';
import { forgotten } from './forgotten.ts';
import type { World } from './world.ts';

/**
 * The decision on an object that had the name before is void, whatever is decided on the new one.
 */
export function tellOrphan(claim: Claim): Saying | undefined {
  const { orphan } = claim;
  claim.orphan = undefined;
  return orphan === undefined ? undefined : forgotten(claim, orphan);
}

/**
 * What another claim has by now is let go first: told in order, no beginning of a turn has an
 * address in two places (law 6).
 */
export function tellLossesFirst(world: World, claim: Claim): Saying | undefined {
  const { decided } = claim;
  if (decided === undefined || claim.seen === undefined) return undefined;
  const placements = decided.placements.filter(
    ({ address }) => (world.owners.get(address) ?? claim) === claim,
  );
  const event: Decided = { ...decided, placements, notices: [] };
  claim.decided = event;
  return { event, causes: claim.causes, said: 'lets go first of what others take over' };
}

/** Whether another claim has by now what the last decision on this one still gives it. */
export function losesToOthers(world: World, claim: Claim): boolean {
  const placements = claim.decided?.placements ?? [];
  return placements.some(
    ({ address }) => !claim.homes.has(address) && (world.owners.get(address) ?? claim) !== claim,
  );
}

export function gains(claim: Claim): boolean {
  const before = new Set((claim.decided?.placements ?? []).map(({ address }) => address));
  return [...claim.homes.keys()].some((address) => !before.has(address));
}
