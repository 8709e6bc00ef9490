/** Puts what became of a claim into a decision, its notices and one sentence. */
import type { Decision, Placement, Refusal } from '../../core/decision.ts';
import type { Saying } from '../../core/event.ts';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { because, said } from '../../core/say.ts';
import type { Claim, Decided } from './claim.ts';
import { noticesOf } from './notices.ts';
import { describePool } from './poolwords.ts';
import type { World } from './world.ts';

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
    equal(decided.refusals, refusals);
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
  claim.causes = [];
}

function tellGone(world: World, claim: Claim): Saying | undefined {
  const { decided } = claim;
  world.claims.delete(claim.name);
  world.marks.release(claim.name);
  return decided === undefined ? undefined : forgotten(claim, decided);
}

/**
 * The decision on an object that had the name before is void, whatever is decided on the new one.
 */
export function tellOrphan(claim: Claim): Saying | undefined {
  const { orphan } = claim;
  claim.orphan = undefined;
  return orphan === undefined ? undefined : forgotten(claim, orphan);
}

function forgotten({ name, causes }: Claim, { uid, mark, markSerial }: Decided): Saying {
  const event: Decision = { kind: 'EgressIPForgotten', name, uid, mark, markSerial };
  return { event, causes, said: said.gone() };
}

/**
 * What another claim has by now is let go first: told in order, no beginning of a turn has an
 * address in two places (law 6).
 */
export function tellLossesFirst(world: World, claim: Claim): Saying | undefined {
  const { decided } = claim;
  if (decided === undefined || claim.seen === undefined) return undefined;
  const placements = decided.placements.filter(
    ({ address }) => (world.owners.get(address) ?? claim) === claim,
  );
  const event: Decided = { ...decided, placements, notices: [] };
  claim.decided = event;
  return { event, causes: claim.causes, said: 'lets go first of what others take over' };
}

/** Whether another claim has by now what the last decision on this one still gives it. */
export function losesToOthers(world: World, claim: Claim): boolean {
  const placements = claim.decided?.placements ?? [];
  return placements.some(({ address }) => (world.owners.get(address) ?? claim) !== claim);
}

export function gains(claim: Claim): boolean {
  const before = new Set((claim.decided?.placements ?? []).map(({ address }) => address));
  return [...claim.homes.keys()].some((address) => !before.has(address));
}

function placementsOf(claim: Claim): readonly Placement[] {
  return [...claim.wants.keys()].flatMap((address) => {
    const home = claim.homes.get(address);
    return home === undefined ? [] : [{ address, node: home.node, previous: home.previous }];
  });
}

function refusalsOf(claim: Claim): readonly Refusal[] {
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

function sentences(claim: Claim, level: Decided, pool: string): string[] {
  const before = new Map(claim.decided?.placements.map(({ address, node }) => [address, node]));
  const lines: string[] = [];
  for (const { address, node } of level.placements) {
    const loss = claim.losses.get(address);
    const was = before.get(address);
    if (loss !== undefined && loss.from !== node)
      lines.push(said.moved(address, loss.from, node, loss.because));
    else if (claim.adopted?.get(address) === node) lines.push(said.adopted(address, node));
    else if (was !== node) lines.push(said.placed(address, node));
  }
  for (const [address, loss] of claim.losses)
    if (!claim.wants.has(address)) lines.push(said.released(address, loss.from, loss.because));
  for (const refusal of level.refusals)
    if (refusal.reason === 'Doubled') lines.push(said.doubled(refusal.address));
    else lines.push(said.refused(refusal.address, because(refusal, selectorOf(claim), pool)));
  if (lines.length === 0) lines.push(said.marked(level.mark));
  return lines;
}

const selectorOf = (claim: Claim): string => claim.use?.selector.text ?? '';

function equal(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index] ?? {}));
}

function same(a: object, b: object): boolean {
  const entries = Object.entries(a);
  return entries.every(([key, value]) => (b as Record<string, unknown>)[key] === value);
}
