/**
 * Moves valid addresses for the sake of balance: only where the EgressIP asks for it, and slowly.
 */
import type { Address } from '../../core/address.ts';
import { candidatesFor } from './candidates.ts';
import type { Claim } from './claim.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;

/**
 * Moves what is better off elsewhere, as far as the budget goes; the rest follows when it is back.
 */
export function rebalance(world: World, claim: Claim): void {
  claim.movedMs = claim.movedMs.filter((atMs) => atMs > world.nowMs - MINUTE_MS);
  for (const address of claim.wants.values()) {
    const better = betterNode(world, claim, address);
    if (better === undefined) continue;
    const oldest = claim.movedMs[0];
    if (claim.movedMs.length >= claim.rebalancePerMinute) {
      if (oldest !== undefined) world.setAlarm(oldest + MINUTE_MS, address.text);
      return;
    }
    move(world, claim, address, better.name, better.why);
  }
}

/** A node with at least two addresses less: moving back would never be an improvement. */
function betterNode(
  world: World,
  claim: Claim,
  address: Address,
): { readonly name: string; readonly why: string } | undefined {
  const home = claim.homes.get(address.text);
  if (home === undefined || claim.fresh.has(address.text)) return undefined;
  const from = world.host(home.node);
  const [best] = candidatesFor(world, claim, address, 1);
  if (best === undefined || best.host.load + 2 > from.load) return undefined;
  if (from.networkOf(address)?.kind === 'secondary' && best.distance >= 2) return undefined;
  if (claim.prefer?.matches(from.labels) === true && best.distance % 2 === 1) return undefined;
  if (best.host.draining) return undefined;
  const { name, load } = best.host;
  return { name, why: `rebalanced, ${from.name} hosts ${from.load}, ${name} hosts ${load}` };
}

function move(world: World, claim: Claim, { text }: Address, to: string, because: string): void {
  const { node: from, previous } = claim.homes.get(text) ?? { node: '', previous: '' };
  claim.losses.set(text, { from, previous, because, soft: true });
  world.unsettle(claim, text);
  world.settle(claim, text, to, from);
  claim.fresh.add(text);
  claim.movedMs = [...claim.movedMs, world.nowMs];
  world.stirWanters(text, claim.causes[0], claim);
  world.toTell.add(claim);
}
