/** Who holds which network: the older claim keeps it (W-02, W-03). */
import { ROUTING_FINALIZER } from '../../core/annotation.ts';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import { CUDN_PREFIX, standingOf } from './ownership.ts';
import type { World } from './world.ts';

export const bySeniority = (a: BgpRouting, b: BgpRouting): number =>
  a.createdMs - b.createdMs || (a.name < b.name ? -1 : 1);

/** Network → who holds it. */
export function claimsOf(world: World): ReadonlyMap<string, BgpRouting> {
  const claims = new Map<string, BgpRouting>();
  const all = [...world.routings.values()].filter((routing) => mayHold(world, routing));
  for (const routing of all.toSorted((a, b) => ranked(world, a, b)))
    if (!claims.has(routing.network)) claims.set(routing.network, routing);
  return claims;
}

/** Who holds it already keeps it; then the older creation time wins, then the name. */
const ranked = (world: World, a: BgpRouting, b: BgpRouting): number =>
  Number(held(world, b)) - Number(held(world, a)) || bySeniority(a, b);

function held(world: World, { name, uid }: BgpRouting): boolean {
  const decided = world.routingsDecided.get(name);
  return decided?.uid === uid && decided.holds;
}

/**
 * One that is being deleted holds the network only if it did before, and until its network is gone.
 * Where the log was lost its finalizer tells: those who never held one were not given any.
 */
function mayHold(world: World, routing: BgpRouting): boolean {
  if (!routing.deleting) return true;
  const decided = world.routingsDecided.get(routing.name);
  const had =
    decided?.uid === routing.uid ? decided.holds : routing.finalizers.includes(ROUTING_FINALIZER);
  return had && standingOf(world, 'ClusterUserDefinedNetwork', cudnOf(routing)).ours !== undefined;
}

export const cudnOf = ({ network }: Pick<BgpRouting, 'network'>): string =>
  `${CUDN_PREFIX}${network}`;
