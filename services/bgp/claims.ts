/** Who holds which network: the older claim keeps it (W-02, W-03). */
import { ROUTING_FINALIZER } from '../../core/annotation.ts';
import type { BgpRouting } from '../../core/bgp-fact.ts';
import { CUDN_PREFIX, decidedOn, standingOf } from './ownership.ts';
import type { World } from './world.ts';
import { wrongRouting } from './wrong-spec.ts';

const object = 'ClusterUserDefinedNetwork';

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

/** Who runs it already keeps it; then the older creation time wins, then the name. */
const ranked = (world: World, a: BgpRouting, b: BgpRouting): number =>
  Number(runs(world, b)) - Number(runs(world, a)) || bySeniority(a, b);

/**
 * It holds the network, and that is there or was asked for. A mere claim counts by its age,
 * whichever was heard of first.
 */
const runs = (world: World, routing: BgpRouting): boolean =>
  held(world, routing) && isMade(world, routing);

/** Where the log was lost its finalizer tells: those who never held one were not given any. */
function held(world: World, { name, uid, network, finalizers }: BgpRouting): boolean {
  const decided = world.routingsDecided.get(name);
  if (decided?.uid !== uid) return finalizers.includes(ROUTING_FINALIZER);
  return decided.holds && decided.network === network;
}

export function isMade(world: World, routing: BgpRouting): boolean {
  const name = cudnOf(routing);
  const asked = decidedOn(world, object, name)?.want === 'present';
  return asked || standingOf(world, object, name).ours !== undefined;
}

/**
 * What cannot be made is no claim, unless its network runs from better days. One that is being
 * deleted holds the network only if it did before, and until its network is gone.
 */
function mayHold(world: World, routing: BgpRouting): boolean {
  if (!routing.deleting) return wrongRouting(routing) === undefined || runs(world, routing);
  return held(world, routing) && standingOf(world, object, cudnOf(routing)).ours !== undefined;
}

export const cudnOf = ({ network }: Pick<BgpRouting, 'network'>): string =>
  `${CUDN_PREFIX}${network}`;
