/** Who would have no node if some nodes were lost: counted where that is a proof, else tried. */
import type { Claim } from './claim.ts';
import { fold } from './fold.ts';
import { nearby, openTo } from './headroom-nearby.ts';
import { type Displaced, surelyFit } from './headroom-room.ts';
import type { Host } from './host.ts';
import { planIn } from './plan.ts';
import type { Slices } from './plan-rest.ts';
import { World } from './world.ts';

export interface Homeless {
  readonly egressIP: string;
  readonly address: string;
}

/** So many addresses are counted, or events heard, in one slice. */
const SLICE = 100;
/** More displaced addresses than this: a sum of room on a cloud, and the whole world in a trial. */
const FEW = 64;

/** The same as a plan in which these nodes are gone, but cheap where there is room enough. */
export function* lossOf(
  world: World,
  lost: ReadonlySet<Host>,
  few = FEW,
): Slices<readonly Homeless[]> {
  return (yield* counted(world, lost, few)) ?? (yield* tried(world, lost, few));
}

function displacedBy(lost: ReadonlySet<Host>): readonly Displaced[] {
  const all = [...lost].flatMap(({ tenants }) => [...tenants]);
  const siblings = Map.groupBy(all, ([, claim]) => claim);
  return all.map(([text, claim]) => ({
    claim,
    text,
    siblings: siblings.get(claim)?.length ?? 0,
  }));
}

/**
 * A proof by counting, or undefined. Whoever has as many open nodes as there are addresses that
 * could take one before finds one in any order; whoever has none finds none. On bare metal only
 * siblings take nodes from each other; on a cloud everybody takes room.
 */
function* counted(
  world: World,
  lost: ReadonlySet<Host>,
  few: number,
): Slices<readonly Homeless[] | undefined> {
  const displaced = displacedBy(lost);
  const many = world.cloud && displaced.length > few;
  if (many && !(yield* surelyFit(world, lost, displaced))) return undefined;
  const homeless: Homeless[] = [];
  for (const [index, { claim, text, siblings }] of displaced.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    if (isContested(world, claim, text)) return undefined;
    if (many) continue;
    const needed = world.cloud ? displaced.length : siblings;
    const open = openTo(world, claim, text, needed, lost).length;
    if (open === 0) homeless.push({ egressIP: claim.name, address: text });
    else if (open < needed) return undefined;
  }
  return homeless;
}

/** More is at stake than room: a first probe, a host address, an address that another one holds. */
function isContested(world: World, claim: Claim, text: string): boolean {
  if (claim.held.size > 0 || (claim.use?.awaited ?? 0) > 0) return true;
  if (world.hostAddresses.has(text)) return true;
  return [...claim.refusals.values()].some(
    ({ reason }) => reason === 'HeldByOther' || reason === 'HostConflict',
  );
}

/** The plan itself, in a world of its own that knows what matters. */
function* tried(world: World, lost: ReadonlySet<Host>, few: number): Slices<readonly Homeless[]> {
  const own = new World(world.settings);
  own.reach(world.nowMs);
  const gone = [...lost].map(({ name, uid }) => ({ kind: 'NodeGone', name, uid }) as const);
  for (const [index, heard] of nearby(world, lost, few).entries()) {
    if (index % SLICE === SLICE - 1) yield;
    fold(own, heard);
  }
  const { shifts } = yield* planIn(own, gone);
  return shifts.flatMap(({ what, egressIP, address }) =>
    what === 'homeless' ? [{ egressIP, address }] : [],
  );
}
