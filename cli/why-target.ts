/** What `sluice why` was asked about: an EgressIP, one of its addresses, or an address alone. */
import { parseAddress } from '../core/address.ts';
import type { Claim } from '../services/assigner/claim.ts';
import { addressesOf } from '../services/assigner/explain-state.ts';
import type { World } from '../services/assigner/world.ts';
import { didYouMean, exit, Failure } from './failure.ts';

export interface Question {
  readonly claim: Claim;
  /** In the order of its spec. */
  readonly addresses: readonly string[];
}

/**
 * `egressip/web`, `web`, or `203.0.113.10` for all EgressIPs that ask for it. Throws Failure
 * when there is no such thing.
 */
export function questionsOf(world: World, target: string, address?: string): readonly Question[] {
  const alone = address === undefined ? parseAddress(target)?.text : undefined;
  if (alone !== undefined) return askersOf(world, alone);
  const claim = claimOf(world, nameOf(target));
  const all = addressesOf(claim);
  if (address === undefined) return [{ claim, addresses: all }];
  const text = parseAddress(address)?.text ?? address;
  if (all.includes(text)) return [{ claim, addresses: [text] }];
  const asked = all.length === 0 ? 'it asks for no address' : `it asks for ${all.join(', ')}`;
  const hint = didYouMean(text, all);
  throw new Failure(
    exit.notFine,
    `EgressIP ${claim.name} does not ask for ${text}; ${asked}.${hint}`,
  );
}

function askersOf(world: World, address: string): readonly Question[] {
  const claims = [...world.wanters.of(address)].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (claims.length === 0)
    throw new Failure(exit.notFine, `no EgressIP asks for ${address}. See: sluice status`);
  return claims.map((claim) => ({ claim, addresses: [address] }));
}

function nameOf(target: string): string {
  const slash = target.indexOf('/');
  if (slash < 0) return target;
  const kind = target.slice(0, slash).toLowerCase();
  if (['egressip', 'egressips', 'eip'].includes(kind)) return target.slice(slash + 1);
  throw new Failure(
    exit.usage,
    `"${target}": why answers for EgressIPs and BGP routing: sluice why egressip/NAME [ADDRESS], ` +
      'sluice why cudnbgprouting/NAME',
  );
}

function claimOf(world: World, name: string): Claim {
  const claim = world.claims.get(name);
  if (claim?.seen !== undefined) return claim;
  const names = [...world.claims.values()].filter(({ seen }) => seen).map((one) => one.name);
  const hint = didYouMean(name, names);
  throw new Failure(exit.notFine, `there is no EgressIP "${name}".${hint} See: sluice status`);
}
