/** How an address is: placed, refused and why, or not decided yet; as values and in words. */
import type { Placement, Refusal } from '../../core/decision.ts';
import { because, count, list } from '../../core/say.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { describePool } from './poolwords.ts';
import type { World } from './world.ts';

export type AddressState =
  | { readonly kind: 'placed'; readonly placement: Placement }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** New, and a node that may take it was not probed yet: it waits for that. */
  | { readonly kind: 'probing'; readonly nodes: number }
  | { readonly kind: 'undecided' };

/** As the last decision has it. `address` is canonical, or the text that is no address. */
export function stateOf(claim: Claim, address: string): AddressState {
  const decided = claim.decided?.uid === claim.seen?.uid ? claim.decided : undefined;
  const placement = decided?.placements.find((one) => one.address === address);
  if (placement !== undefined) return { kind: 'placed', placement };
  const refusal = decided?.refusals.find((one) => one.address === address);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const nodes = claim.use?.awaited ?? 0;
  return nodes > 0 ? { kind: 'probing', nodes } : { kind: 'undecided' };
}

/** All that a claim asks for, in the order of its spec, then the texts that are no address. */
export const addressesOf = (claim: Claim): readonly string[] => [
  ...claim.wants.keys(),
  ...claim.invalid,
];

/** The sentence after "… has no node: ", or where it is. */
export function explainState(world: World, claim: Claim, state: AddressState): string {
  switch (state.kind) {
    case 'placed':
      return `on ${state.placement.node}`;
    case 'refused':
      return because(state.refusal, claim.use?.selector.text ?? '', describePool(world, claim));
    case 'probing':
      return `it waits for the first probe of ${count(state.nodes, 'node')}`;
    case 'undecided':
      return 'nothing was decided on it yet';
  }
}

/** A few words for a table: `NoAvailableNode (1 not ready, 1 unreachable)`. */
export function stateWords(world: World, claim: Claim, state: AddressState): string {
  switch (state.kind) {
    case 'placed':
      return 'Placed';
    case 'probing':
      return `Probing (${count(state.nodes, 'node')})`;
    case 'undecided':
      return 'Undecided';
    case 'refused': {
      const detail = detailOf(world, claim, state.refusal);
      return detail === '' ? state.refusal.reason : `${state.refusal.reason} (${detail})`;
    }
  }
}

function detailOf(world: World, claim: Claim, refusal: Refusal): string {
  switch (refusal.reason) {
    case 'InvalidSelector':
      return claim.use?.selector.problem ?? '';
    case 'HeldByOther':
      return refusal.egressIP;
    case 'HostConflict':
      return refusal.node;
    case 'NoAvailableNode':
    case 'NoNetwork':
    case 'NodesFull':
    case 'SiblingsEverywhere':
      return poolCounts(world, claim);
    case 'Doubled':
    case 'InvalidAddress':
    case 'NoMatchingNode':
      return '';
  }
}

/** The counts of a selector are the same for all its claims: counted once for each world. */
const counted = new WeakMap<World, Map<string, string>>();

function poolCounts(world: World, claim: Claim): string {
  const selector = claim.use?.selector;
  if (selector === undefined) return '';
  const known = counted.get(world) ?? new Map<string, string>();
  counted.set(world, known);
  const text =
    known.get(selector.text) ?? countPool(world, (host) => selector.matches(host.labels));
  known.set(selector.text, text);
  return text;
}

function countPool(world: World, matches: (host: Host) => boolean): string {
  const counts = new Map<string, number>();
  for (const host of world.hosts.values()) {
    if (!host.exists || !matches(host)) continue;
    const state = conditionOf(host);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const parts = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return list(
    parts.map(([state, number]) => `${number} ${state}`),
    parts.length,
  );
}

function conditionOf(host: Host): string {
  if (host.excluded) return 'no-hostsubnet';
  if (host.infrastructure === undefined) return 'not infrastructure-ready';
  if (!host.ready) return 'not ready';
  if (host.reachable === undefined) return 'not probed yet';
  return host.reachable ? 'available' : 'unreachable';
}
