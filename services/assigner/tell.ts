/** Puts what became of a claim into a decision, its notices and one sentence. */
import type { Placement, Refusal } from '../../core/decision.ts';
import type { Saying } from '../../core/event.ts';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { Claim, Decided } from './claim.ts';
import { forgotten } from './forgotten.ts';
import { noticesOf } from './notices.ts';
import { hasProblems } from './policy-news.ts';
import { describePool } from './poolwords.ts';
import { sentences } from './sentences.ts';
import type { World } from './world.ts';

const none: readonly never[] = [];

/** The decision on a claim as it stands, or undefined when nothing is new. */
export function tell(world: World, claim: Claim): Saying | undefined {
  const { seen, decided } = claim;
  if (seen === undefined) return tellGone(world, claim);
  const placements = placementsOf(claim);
  const refusals = refusalsOf(claim);
  if (decided === undefined && claim.held.size === claim.wants.size && claim.wants.size > 0)
    return undefined;
  const { mark, serial } = markFor(world, claim);
  const same =
    decided !== undefined &&
    decided.mark === mark &&
    decided.cloud === world.cloud &&
    equal(decided.placements, placements) &&
    equal(decided.refusals, refusals) &&
    hasProblems(decided, claim.problems);
  if (same) return rest(claim);
  const level: Decided = {
    kind: 'EgressIPDecided',
    name: claim.name,
    uid: seen.uid,
    placements,
    refusals,
    mark,
    markSerial: serial,
    cloud: world.cloud,
    rests: claim.rests.filter(({ untilMs }) => untilMs > world.nowMs),
    problems: claim.problems,
    notices: [],
  };
  const pool = describePool(world, claim);
  const event: Decided = { ...level, notices: noticesOf(claim, level, pool) };
  return conclude(claim, event, sentences(claim, level, pool).join('; '));
}

function conclude(claim: Claim, event: Decided, sentence: string): Saying {
  const saying: Saying = { event, causes: claim.causes, said: sentence };
  claim.decided = event;
  claim.adopted = undefined;
  rest(claim);
  return saying;
}

function rest(claim: Claim): undefined {
  claim.losses.clear();
  claim.fresh.clear();
  claim.causes = none;
}

function tellGone(world: World, claim: Claim): Saying | undefined {
  const { decided } = claim;
  world.claims.delete(claim.name);
  world.marks.release(claim.name);
  return decided === undefined ? undefined : forgotten(claim, decided);
}

function placementsOf(claim: Claim): readonly Placement[] {
  const addresses = [...claim.wants.keys()];
  const isHome = (address: string): boolean => claim.homes.has(address);
  const all = claim.homes.size === addresses.length && addresses.every(isHome);
  // Nearly all have a home: then the list is as long as it must be, and it is kept.
  return (all ? addresses : addresses.filter(isHome)).map((address) => {
    const { node = '', previous = '' } = claim.homes.get(address) ?? {};
    return { address, node, previous };
  });
}

function refusalsOf(claim: Claim): readonly Refusal[] {
  if (claim.refusals.size + claim.invalid.length + claim.doubled.length === 0) return none;
  const plain = (reason: 'Doubled' | 'InvalidAddress') => (address: string) => ({
    address,
    reason,
    node: '',
    egressIP: '',
    previous: '',
  });
  const wanted = [...claim.wants.keys()].flatMap((address) => {
    const refusal = claim.refusals.get(address);
    return refusal === undefined || claim.homes.has(address) ? [] : [refusal];
  });
  return [
    ...wanted,
    ...claim.invalid.map(plain('InvalidAddress')),
    ...claim.doubled.map(plain('Doubled')),
  ];
}

/** The object's own mark, the one given before, or a new one; 0 where none can be had. */
function markFor(world: World, claim: Claim): { mark: number; serial: number } {
  const known = world.marks.markOf(claim.name);
  const before = claim.decided;
  if (known !== undefined)
    return { mark: known, serial: before?.mark === known ? before.markSerial : 0 };
  if (claim.seen?.annotations[EGRESSIP_MARK] !== undefined) return { mark: 0, serial: 0 };
  const given = world.marks.give(claim.name);
  return given === undefined ? { mark: 0, serial: 0 } : given;
}

function equal(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index] ?? {}));
}

function same(a: object, b: object): boolean {
  const entries = Object.entries(a);
  return entries.every(([key, value]) => (b as Record<string, unknown>)[key] === value);
}
