/** The one rule for choosing and for keeping: may this node host this address for this claim? */
import type { Address } from '../../core/address.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

export type Verdict =
  | 'may host'
  | 'gone'
  | 'excluded'
  | 'does not match'
  | 'not infrastructure-ready'
  | 'not ready'
  | 'unreachable'
  | 'not probed yet'
  | 'no network';

/** Candidates = selector ∧ infrastructure-ready ∧ ready ∧ reachable ∧ network (OKEP-6800, 9.5). */
export function verdictOf(claim: Claim, address: Address, host: Host): Verdict {
  if (!host.exists) return 'gone';
  if (host.excluded) return 'excluded';
  if (claim.use?.selector.matches(host.labels) !== true) return 'does not match';
  if (host.infrastructure === undefined) return 'not infrastructure-ready';
  if (!host.ready) return 'not ready';
  if (host.reachable === false) return 'unreachable';
  if (host.networkOf(address) === undefined) return 'no network';
  return host.reachable === undefined ? 'not probed yet' : 'may host';
}

/** Whether a home stays: a node whose first probe is still out is neither good nor bad. */
export function mayStay(verdict: Verdict): boolean {
  return verdict === 'may host' || verdict === 'not probed yet';
}

/** A verdict as half a sentence about the node. */
export function sayVerdict(verdict: Verdict, host: Host, claim: Claim, address: string): string {
  switch (verdict) {
    case 'gone':
      return `${host.name} is gone`;
    case 'excluded':
      return `${host.name} is a no-hostsubnet node`;
    case 'does not match':
      return `${host.name} does not match ${claim.use?.selector.text ?? ''}`;
    case 'not infrastructure-ready':
      return `${host.name} is not infrastructure-ready (${host.gap})`;
    case 'unreachable':
      return `${host.name} is unreachable (${host.reachableBecause})`;
    case 'no network':
      return `${host.name} has no network that contains ${address}`;
    default:
      return `${host.name} is ${verdict}`;
  }
}

/**
 * The node whose host address this is, or undefined. Where we host it now, or did last, the node
 * may still show it as its own: that is ours (`spec/egressip.md` 3.2.3.1, decided: unless it is our
 * own).
 */
export function conflictOf(world: World, claim: Claim, address: string): Host | undefined {
  if (!world.hostAddresses.has(address)) return undefined;
  const ours = oursOf(claim, address);
  return [...world.hostAddresses.of(address)]
    .filter((host) => !ours.includes(host.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))[0];
}

/** The nodes that host the address for us, or did last. */
export function oursOf(claim: Claim, address: string): readonly string[] {
  const home = claim.homes.get(address);
  if (home !== undefined) return [home.node, home.previous];
  return [lastHomeOf(claim, address)];
}

/** The node that hosted a homeless address last, or ''. */
export function lastHomeOf(claim: Claim, address: string): string {
  return claim.losses.get(address)?.from ?? claim.refusals.get(address)?.previous ?? '';
}
