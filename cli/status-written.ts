/** Whether the cluster's status says what was decided. */
import { parseAddress } from '../core/address.ts';
import type { Claim } from '../services/assigner/claim.ts';

/** The node that the object's status has for an address, or ''. */
function statusNode(claim: Claim, address: string): string {
  const items = claim.seen?.items ?? [];
  return items.find(({ egressIP }) => parseAddress(egressIP)?.text === address)?.node ?? '';
}

/** Whether the status agrees with the last decision on one address. */
export function isWritten(claim: Claim, address: string): boolean {
  const placement = claim.decided?.placements.find((one) => one.address === address);
  return statusNode(claim, address) === (placement?.node ?? '');
}

/** Whether the status agrees with the last decision as a whole. */
export function isPublished(claim: Claim): boolean {
  const placements = claim.decided?.placements ?? [];
  const items = claim.seen?.items ?? [];
  return (
    items.length === placements.length &&
    placements.every(({ address }) => isWritten(claim, address))
  );
}
