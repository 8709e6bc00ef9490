/** Finds nodes for the homeless addresses of a claim, or says why there is none. */
import type { Address } from '../../core/address.ts';
import type { Refusal, RefusalReason } from '../../core/decision.ts';
import { augment } from './augment.ts';
import { candidatesFor, hostsWithNetwork } from './candidates.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { match } from './match.ts';
import { forgetRestless, seatAt } from './seat.ts';
import { conflictOf, lastHomeOf } from './verdict.ts';
import type { World } from './world.ts';

export function place(world: World, claim: Claim): void {
  claim.held.clear();
  forgetRestless(claim);
  const open: Address[] = [];
  for (const address of claim.wants.values())
    if (!claim.homes.has(address.text) && mayBePlaced(world, claim, address)) open.push(address);
  const hosts = pair(world, claim, open);
  for (let index = 0; index < open.length; index++) {
    const host = hosts[index];
    const address = open[index];
    if (host !== undefined && address !== undefined)
      seatAt(world, claim, address.text, host.name, lastHomeOf(claim, address.text));
  }
  for (const address of homelessAmong(claim, open)) {
    if (world.cloud && augment(world, claim, address)) claim.refusals.delete(address.text);
    else if (!keepMeanwhile(world, claim, address)) {
      const isFree =
        claim.losses.get(address.text)?.soft === true && !claim.refusals.has(address.text);
      refuse(claim, address.text, reasonFor(world, claim, address), {});
      if (isFree) world.stirWanters(address.text, claim.causes[0], claim);
    }
  }
  for (const { untilMs, address } of claim.rests)
    if (untilMs > world.nowMs) world.setAlarm(untilMs, address);
  if (claim.waits) claim.use?.waiting.add(claim);
  else claim.use?.waiting.delete(claim);
  world.toTell.add(claim);
}

/**
 * A node for each, or undefined. Who would leave a drained or failing node but finds no other stays
 * there: a sibling must not be given its seat, else the two would change places for ever.
 */
function pair(world: World, claim: Claim, open: readonly Address[]): readonly (Host | undefined)[] {
  let choices = open.map((address) => candidatesFor(world, claim, address, open.length));
  for (;;) {
    const hosts = match(choices);
    if (!hosts.includes(undefined)) return hosts;
    const staying = open.filter((_, index) => hosts[index] === undefined);
    const losses = staying.map(({ text }) => claim.losses.get(text));
    const kept = new Set(losses.map((loss) => (loss?.soft === true ? loss.from : '')));
    if (!hosts.some((host) => host !== undefined && kept.has(host.name))) return hosts;
    choices = choices.map((candidates) => candidates.filter(({ host }) => !kept.has(host.name)));
  }
}

/** Whoever lost a home in this turn comes before those who never had one. */
export function isDisplaced(claim: Claim): boolean {
  for (const address of claim.losses.keys())
    if (claim.wants.has(address) && !claim.homes.has(address)) return true;
  return false;
}

const homelessAmong = (claim: Claim, addresses: readonly Address[]): readonly Address[] =>
  addresses.filter(({ text }) => !claim.homes.has(text));

function mayBePlaced(world: World, claim: Claim, address: Address): boolean {
  const owner = world.owners.get(address.text);
  if (owner !== undefined && owner !== claim) {
    const node = owner.homes.get(address.text)?.node ?? '';
    return refuse(claim, address.text, 'HeldByOther', { node, egressIP: owner.name });
  }
  const leaver = leaverOf(world, claim, address.text);
  if (leaver !== undefined) return refuse(claim, address.text, 'HeldByOther', leaver);
  const conflict = conflictOf(world, claim, address.text);
  if (conflict !== undefined)
    return refuse(claim, address.text, 'HostConflict', { node: conflict.name });
  const isNew = !claim.losses.has(address.text);
  if (isNew && (claim.use?.awaited ?? 0) > 0) return waitForProbe(claim, address.text);
  return true;
}

/**
 * Who holds the address, and only looks for a better node: it will move, or stay where it is. The
 * address is free when it was refused.
 */
function leaverOf(
  world: World,
  claim: Claim,
  text: string,
): { readonly node: string; readonly egressIP: string } | undefined {
  for (const other of world.wanters.of(text)) {
    const loss = other.losses.get(text);
    if (other === claim || loss?.soft !== true || loss.from === '') continue;
    if (!other.wants.has(text) || other.homes.has(text) || other.refusals.has(text)) continue;
    return { node: loss.from, egressIP: other.name };
  }
  return undefined;
}

/**
 * The first probe answers within its deadline: who is new waits for it, for the sake of balance.
 */
function waitForProbe(claim: Claim, address: string): false {
  claim.held.add(address);
  return false;
}

/**
 * An address that must move, but whose only possible nodes were not probed yet, stays where it is
 * until they were: else it would be without a node for a moment (`spec/egressip.md` 9.11). So does
 * one whose node is drained or fails in the cloud while no other node can take it.
 */
function keepMeanwhile(world: World, claim: Claim, { text }: Address): boolean {
  const loss = claim.losses.get(text);
  const awaited = (claim.use?.awaited ?? 0) > 0;
  if (loss === undefined || !(awaited || loss.soft)) return false;
  const siblings = [...claim.homes.values()];
  if (loss.from === '' || siblings.some(({ node }) => node === loss.from)) return false;
  claim.losses.delete(text);
  (awaited ? claim.held : claim.restless).add(text);
  world.settle(claim, text, loss.from, loss.previous);
  return true;
}

function refuse(
  claim: Claim,
  address: string,
  reason: RefusalReason,
  by: { readonly node?: string; readonly egressIP?: string },
): false {
  const previous = lastHomeOf(claim, address);
  const refusal: Refusal = { address, reason, node: '', egressIP: '', ...by, previous };
  claim.refusals.set(address, refusal);
  return false;
}

/** The first filter that nobody passed gives the reason. */
function reasonFor(world: World, claim: Claim, address: Address): RefusalReason {
  const use = claim.use;
  if (use?.selector.problem !== undefined) return 'InvalidSelector';
  if (use === undefined || use.matching === 0) return 'NoMatchingNode';
  if (use.usable === 0) return 'NoAvailableNode';
  const hosts = hostsWithNetwork(world, claim, address);
  if (hosts.length === 0) return 'NoNetwork';
  const siblings = new Set([...claim.homes.values()].map(({ node }) => node));
  return hosts.every(({ name }) => siblings.has(name)) ? 'SiblingsEverywhere' : 'NodesFull';
}
