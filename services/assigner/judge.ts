/** Keeps every home that is still good and takes the others away. */
import { parseAddress } from '../../core/address.ts';
import type { Address } from '../../core/address.ts';
import type { Claim } from './claim.ts';
import { conflictOf, mayStay, sayVerdict, verdictOf } from './verdict.ts';
import type { World } from './world.ts';

export function judge(world: World, claim: Claim): void {
  if (claim.seen === undefined) return vacate(world, claim);
  if (claim.decided === undefined && claim.adopted === undefined) adopt(world, claim);
  for (const address of [...claim.homes.keys()]) {
    const because = objectionTo(world, claim, address);
    if (because !== undefined) lose(world, claim, address, because);
  }
  loseSiblings(world, claim);
  for (const address of claim.refusals.keys())
    if (!claim.wants.has(address)) claim.refusals.delete(address);
  for (const address of claim.held) if (!claim.wants.has(address)) claim.held.delete(address);
  const settled = [...claim.wants.keys()].every((address) => claim.homes.has(address));
  if (settled) claim.use?.waiting.delete(claim);
  else world.toPlace.add(claim);
  world.toTell.add(claim);
}

/** The object is gone: all that it had is free. */
function vacate(world: World, claim: Claim): void {
  for (const address of [...claim.homes.keys()]) lose(world, claim, address, 'the EgressIP is gone');
  claim.refusals.clear();
  claim.held.clear();
  world.dismiss(claim);
  world.toTell.add(claim);
}

/**
 * Nothing was decided yet: what the cluster's status says is taken over, so that taking over a
 * running cluster moves nothing. Of two items with one address the first good one counts.
 */
function adopt(world: World, claim: Claim): void {
  const adopted = new Map<string, string>();
  for (const item of claim.seen?.items ?? []) {
    const address = claim.wants.get(parseAddress(item.egressIP)?.text ?? '');
    if (address === undefined || claim.homes.has(address.text)) continue;
    if (world.owners.has(address.text)) continue;
    world.settle(claim, address.text, item.node, '');
    if (objectionTo(world, claim, address.text) === undefined) {
      adopted.set(address.text, item.node);
      continue;
    }
    if (!hasBetterItem(world, claim, address)) continue;
    world.unsettle(claim, address.text);
  }
  claim.adopted = adopted;
}

function hasBetterItem(world: World, claim: Claim, address: Address): boolean {
  const items = claim.seen?.items ?? [];
  return items.some(
    ({ egressIP, node }) =>
      parseAddress(egressIP)?.text === address.text &&
      mayStay(verdictOf(claim, address, world.host(node))),
  );
}

/** Why the home of an address is not good any more, or undefined. */
function objectionTo(world: World, claim: Claim, text: string): string | undefined {
  const home = claim.homes.get(text);
  const address = claim.wants.get(text);
  if (home === undefined) return undefined;
  if (address === undefined) return 'it is not in the spec any more';
  const host = world.host(home.node);
  const verdict = verdictOf(claim, address, host);
  if (!mayStay(verdict)) return sayVerdict(verdict, host, claim, text);
  const conflict = conflictOf(world, claim, text);
  return conflict === undefined ? undefined : `it is a host address of ${conflict.name}`;
}

/** At most one address of an object on a node (`spec/egressip.md` 11.2): the first of the spec stays. */
function loseSiblings(world: World, claim: Claim): void {
  const taken = new Map<string, string>();
  for (const address of claim.wants.keys()) {
    const node = claim.homes.get(address)?.node;
    if (node === undefined) continue;
    const sibling = taken.get(node);
    if (sibling === undefined) taken.set(node, address);
    else lose(world, claim, address, `${node} hosts ${sibling} of the same EgressIP`);
  }
}

function lose(world: World, claim: Claim, address: string, because: string): void {
  const { node: from, previous } = claim.homes.get(address) ?? { node: '', previous: '' };
  if (!claim.losses.has(address)) claim.losses.set(address, { from, previous, because });
  world.unsettle(claim, address);
  world.stirWanters(address, claim.causes[0], claim);
}
