/** Keeps every home that is still good and takes the others away. */
import { parseAddress } from '../../core/address.ts';
import { sayDrained } from '../../core/drained.ts';
import type { Claim } from './claim.ts';
import { failureOf, isResting, rest } from './cloud.ts';
import { forgetRestless, hasJustSatDown } from './seat.ts';
import { conflictOf, mayStay, sayVerdict, verdictOf } from './verdict.ts';
import type { World } from './world.ts';

const none: readonly never[] = [];
const nobody: ReadonlyMap<string, string> = new Map<string, string>();

export function judge(world: World, claim: Claim): void {
  if (claim.seen === undefined) return vacate(world, claim);
  if (claim.decided === undefined && claim.adopted === undefined) adopt(world, claim);
  for (const address of homesOf(claim)) {
    const because = objectionTo(world, claim, address);
    if (because !== undefined) lose(world, claim, address, because);
    else loseSoftly(world, claim, address);
  }
  loseSiblings(world, claim);
  for (const address of claim.refusals.keys())
    if (!claim.wants.has(address)) claim.refusals.delete(address);
  for (const address of claim.held) if (!claim.wants.has(address)) claim.held.delete(address);
  if (isSettled(claim)) comeToRest(claim);
  else world.toPlace.add(claim);
  world.toTell.add(claim);
}

/** A copy: homes are taken away while they are looked at. */
const homesOf = ({ homes }: Claim): readonly string[] =>
  homes.size === 0 ? none : [...homes.keys()];

function isSettled({ wants, homes }: Claim): boolean {
  for (const address of wants.keys()) if (!homes.has(address)) return false;
  return true;
}

function comeToRest(claim: Claim): void {
  forgetRestless(claim);
  if (!claim.waits) claim.use?.waiting.delete(claim);
}

/** The object is gone: all that it had is free. */
function vacate(world: World, claim: Claim): void {
  for (const address of [...claim.homes.keys()])
    lose(world, claim, address, 'the EgressIP is gone');
  claim.refusals.clear();
  claim.held.clear();
  world.dismiss(claim);
  world.toTell.add(claim);
}

/**
 * Nothing was decided yet: what the cluster says is taken over, so that taking over a running
 * cluster moves nothing. On a cloud our own CloudPrivateIPConfig counts more than the status, which
 * lags behind it (`spec/egressip.md` 5.5). Of two items with one address the first good one counts.
 */
function adopt(world: World, claim: Claim): void {
  // Nothing is on offer where no status was written yet: the rule when a cluster starts.
  claim.adopted = nobody;
  if (!world.cloud && claim.seen?.items.length === 0) return;
  const adopted = new Map<string, string>();
  for (const [text, nodes] of offersFor(world, claim)) {
    if (world.owners.has(text)) continue;
    const good = nodes.find((node) => isGood(world, claim, text, node));
    const [first] = nodes;
    if (good !== undefined) adopted.set(text, good);
    // A bad home is taken over too: to leave it is a move, and has a reason.
    if (claim.homes.has(text) || first === undefined) continue;
    world.settle(claim, text, first, '');
  }
  claim.adopted = adopted;
}

/** Address → the nodes where the cloud and the status have it. */
function offersFor(world: World, claim: Claim): ReadonlyMap<string, readonly string[]> {
  const offers = new Map<string, string[]>();
  const offer = (address: string, node: string): void => {
    if (!claim.wants.has(address)) return;
    offers.set(address, [...(offers.get(address) ?? []), node]);
  };
  if (world.cloud)
    for (const text of claim.wants.keys()) {
      const owned = world.cloudClaims.get(text);
      if (owned?.owner === claim.name && !owned.deleting) offer(text, owned.node);
    }
  for (const { egressIP, node } of claim.seen?.items ?? [])
    offer(parseAddress(egressIP)?.text ?? '', node);
  return offers;
}

/** Settles the address there if nothing speaks against it. */
function isGood(world: World, claim: Claim, address: string, node: string): boolean {
  world.settle(claim, address, node, '');
  if (objectionTo(world, claim, address) === undefined) return true;
  world.unsettle(claim, address);
  return false;
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

/**
 * At most one address of an object on a node (`spec/egressip.md` 11.2): the first of the spec
 * stays.
 */
function loseSiblings(world: World, claim: Claim): void {
  if (claim.homes.size < 2) return;
  const taken = new Map<string, string>();
  for (const address of claim.wants.keys()) {
    const node = claim.homes.get(address)?.node;
    if (node === undefined) continue;
    const sibling = taken.get(node);
    if (sibling === undefined) taken.set(node, address);
    else lose(world, claim, address, `${node} hosts ${sibling} of the same EgressIP`);
  }
}

/** A home that still is one, but should be left for a better one, if there is any. */
function loseSoftly(world: World, claim: Claim, address: string): void {
  const node = claim.homes.get(address)?.node;
  if (node === undefined) return;
  if (hasJustSatDown(claim, address)) return void world.toReconsider.add(claim);
  const { drained } = world.host(node);
  if (drained !== '')
    return lose(world, claim, address, `${node} is drained: ${sayDrained(drained)}`, true);
  const failure = failureOf(world, claim, address);
  if (failure === undefined) return;
  if (!isResting(world, claim, address, node)) rest(world, claim, address, node);
  lose(world, claim, address, failure, true);
}

function lose(world: World, claim: Claim, address: string, because: string, soft = false): void {
  const { node: from, previous } = claim.homes.get(address) ?? { node: '', previous: '' };
  if (!claim.losses.has(address)) claim.losses.set(address, { from, previous, because, soft });
  world.unsettle(claim, address);
  world.stirWanters(address, claim.causes[0], claim);
}
