/**
 * What is to be done about one CloudPrivateIPConfig: desired against observed, nothing remembered.
 */
import { must } from '../../core/assert.ts';
import type { CloudClaim } from '../../core/fact.ts';
import type { Claim, Step } from './claims.ts';
import type { World } from './world.ts';

/**
 * The next step, or undefined when nothing is to be done or something must happen first: an address
 * leaves every status before its claim is moved or deleted (`spec/egressip.md` 5.4, 11.8).
 */
export function stepOf(world: World, claim: Claim): Step | undefined {
  const { seen } = claim;
  if (world.holders.has(claim.address)) return undefined;
  if (seen === undefined) return creation(claim);
  if (claim.isDeleting || seen.owner === '') return undefined;
  const node = claim.wantedNode;
  const decision = claim.asker?.wanted?.sequence;
  if (node === undefined)
    return isOrphan(world, claim, seen) ? deletion(seen, false, decision) : undefined;
  if (failedOnGoneNode(world, seen)) return deletion(seen, true, decision);
  const owner = must(claim.asker, `the asker of ${claim.address}`).name;
  if (seen.node === node && seen.owner === owner) return undefined;
  return { verb: 'move', node, owner, uid: seen.uid, retry: false, decision };
}

function creation({ wantedNode: node, asker, expectedMs }: Claim): Step | undefined {
  if (node === undefined || asker === undefined || expectedMs !== 0) return undefined;
  const { name: owner, wanted } = asker;
  return { verb: 'create', node, owner, uid: '', retry: false, decision: wanted?.sequence };
}

const deletion = (
  { uid, node, owner }: CloudClaim,
  retry: boolean,
  decision: number | undefined,
): Step => ({ verb: 'delete', node, owner, uid, retry, decision });

/** Its owner does not exist any more, or was decided on and does not have the address. */
function isOrphan(world: World, claim: Claim, { owner }: CloudClaim): boolean {
  if (!world.cloud || !world.synced || claim.asker !== undefined) return false;
  const thing = world.egressIPs.get(owner);
  if (thing === undefined || (thing.uid === '' && thing.wanted === undefined)) return true;
  return thing.current?.cloud === true;
}

/**
 * The cloud controller does not try again where the node does not exist (`spec/egressip.md` 2.2).
 */
function failedOnGoneNode(world: World, { assigned, statusNode }: CloudClaim): boolean {
  if (!world.synced || assigned !== 'False' || statusNode === '') return false;
  return (world.nodes.get(statusNode)?.uid ?? '') === '';
}
