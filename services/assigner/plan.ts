/**
 * What would move, and who would be homeless, if some facts came true: the shipped rules decide.
 */
import type { Fact } from '../../core/fact.ts';
import type { Claim } from './claim.ts';
import { type Picture, supposed } from './explain-picture.ts';
import { explainState, stateOf } from './explain-state.ts';
import { fold } from './fold.ts';
import { type Reasons, rest, type Slices, whole } from './plan-rest.ts';
import type { World } from './world.ts';

/** What becomes of one address of one EgressIP. */
export interface Shift {
  /** Canonical text. */
  readonly address: string;
  readonly egressIP: string;
  /** The node that has it without the change, or ''. */
  readonly from: string;
  /** The node that has it with the change, or ''. */
  readonly to: string;
  /**
   * `moves`, `placed` (it had none), `released` (nobody asks for it any more), `homeless` (it had a
   * node and would have none), `refused` (newly asked for, and there is no node for it).
   */
  readonly what: 'moves' | 'placed' | 'released' | 'homeless' | 'refused';
  /** Half a sentence; '' when there is nothing to explain. */
  readonly because: string;
}

export interface Plan {
  /** By EgressIP and in the order of its spec; who would have no node comes last. */
  readonly shifts: readonly Shift[];
  /** How often a status would be written. On a cloud a move is two writes: off, then on. */
  readonly statusWrites: number;
  /** What the assigner has yet to say as things are: the plan begins after that. */
  readonly undecided: number;
}

/** EgressIP → address → node, as far as there is one. */
type Homes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Computes on a copy of the picture's world; nothing is said to anybody. Both the world without the
 * change and the one with it are brought to rest, so what would happen anyway is not in the plan.
 * `nowMs` is the time if it is later than the last word on the log.
 */
export function planOf(picture: Picture, changes: readonly Fact[], nowMs = 0): Plan {
  const world = picture.fold(picture);
  world.reach(nowMs);
  return whole(planIn(world, changes));
}

/** The same, slice by slice, in a world that is the plan's own: it is changed. */
export function* planIn(world: World, changes: readonly Fact[]): Slices<Plan> {
  const { says: undecided } = yield* rest(world);
  const before = homesOf(world);
  const known = wantsOf(world);
  for (const change of changes) fold(world, supposed(change));
  const { reasons } = yield* rest(world);
  const after = homesOf(world);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const shifts = names.flatMap((name) => shiftsOf({ world, name, before, after, known, reasons }));
  const shortOf = ({ what }: Shift): number => (what === 'homeless' || what === 'refused' ? 1 : 0);
  return {
    shifts: shifts.toSorted((a, b) => shortOf(a) - shortOf(b)),
    statusWrites: writesOf(world, shifts),
    undecided,
  };
}

function homesOf(world: World): Homes {
  const homes = ({ homes }: Claim): ReadonlyMap<string, string> =>
    new Map([...homes].map(([address, { node }]) => [address, node]));
  return new Map([...world.claims.values()].map((claim) => [claim.name, homes(claim)]));
}

const wantsOf = (world: World): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...world.claims.values()].map(({ name, wants }) => [name, new Set(wants.keys())]));

interface Ask {
  readonly world: World;
  readonly name: string;
  readonly before: Homes;
  readonly after: Homes;
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
  readonly reasons: Reasons;
}

function shiftsOf(ask: Ask): readonly Shift[] {
  const { world, name, before, after } = ask;
  const wants = world.claims.get(name)?.wants.keys() ?? [];
  const addresses = new Set([...wants, ...(before.get(name)?.keys() ?? [])]);
  return [...addresses].flatMap((address) => {
    const from = before.get(name)?.get(address) ?? '';
    const to = after.get(name)?.get(address) ?? '';
    const what = whatOf(ask, address, from, to);
    if (what === undefined) return [];
    const because = becauseOf(ask, address, what);
    return [{ address, egressIP: name, from, to, what, because }];
  });
}

function whatOf(
  { world, name, known }: Ask,
  address: string,
  from: string,
  to: string,
): Shift['what'] | undefined {
  const isWanted = world.claims.get(name)?.wants.has(address) === true;
  if (from === to)
    return from === '' && isWanted && !known.get(name)?.has(address) ? 'refused' : undefined;
  if (to !== '') return from === '' ? 'placed' : 'moves';
  return isWanted ? 'homeless' : 'released';
}

function becauseOf({ world, name, reasons }: Ask, address: string, what: Shift['what']): string {
  const claim = world.claims.get(name);
  if (claim !== undefined && (what === 'homeless' || what === 'refused'))
    return explainState(world, claim, stateOf(claim, address));
  return reasons.get(`${name} ${address}`) ?? '';
}

/** One write for each object that changes; on a cloud one to let go, and one to have again. */
function writesOf(world: World, shifts: readonly Shift[]): number {
  let writes = 0;
  for (const [name, own] of Map.groupBy(shifts, ({ egressIP }) => egressIP)) {
    if (world.claims.get(name)?.seen === undefined) continue;
    const loses = own.some(({ from }) => from !== '');
    const gains = own.some(({ to }) => to !== '');
    writes += world.cloud ? Number(loses) + Number(gains) : Number(loses || gains);
  }
  return writes;
}
