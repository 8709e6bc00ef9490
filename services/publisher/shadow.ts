/** Shadow mode: nothing is written; what would have been is told once for each decision. */
import type { Turn } from '../../core/room.ts';
import type { Claim } from './claims.ts';
import { claimDifferences, differencesOf } from './difference.ts';
import type { Act } from './input.ts';
import { itemsOf } from './items.ts';
import type { Noted } from './noted.ts';
import { Thing } from './object.ts';
import { lookAtObject, lookAtResource } from './routing-shadow.ts';
import { itemWords, published } from './sayings.ts';
import type { World } from './world.ts';

/** Objects looked at in one turn: some milliseconds at most. */
const SLICE = 200;

export function shadowTurn(world: World): Turn<Act> {
  const more =
    slice(world.toWrite, (thing) => look(world, thing)) ||
    slice(world.toClaim, (claim) => lookAtClaim(world, claim)) ||
    slice(world.routing.toManage, (managed) => lookAtObject(world, managed)) ||
    slice(world.routing.toPublish, (thing) => lookAtResource(world, thing)) ||
    slice(world.toTell, (thing) => recordNothing(world, thing));
  return { says: world.says.splice(0), does: [], more };
}

/** Takes the first few; tells whether some are left. */
function slice<T>(set: Set<T>, each: (one: T) => void): boolean {
  let taken = 0;
  for (const one of set) {
    if (taken++ === SLICE) return true;
    set.delete(one);
    each(one);
  }
  return false;
}

function look(world: World, thing: Thing): void {
  const differences = differencesOf(world, thing);
  if (differences.length === 0) world.differing.delete(thing);
  else world.differing.set(thing, differences);
  const wanted = thing.current;
  if (wanted === undefined || differences.length === 0) return;
  if (thing.shadowed === wanted.sequence) return;
  thing.shadowed = wanted.sequence;
  const items = itemsOf(world, thing, wanted);
  const marked = differences.some(({ what }) => what === 'mark');
  const status = differences.some(({ what }) => what !== 'mark');
  const wrote = [status ? 'status' : '', marked ? 'mark' : ''].filter((word) => word !== '');
  const said = `would write ${wrote.join(' and ')}: ${itemWords(items)}`;
  const what = { wrote: wrote.join('+'), items, shadow: true, decision: wanted.sequence };
  world.says.push(published(thing, what, said));
}

function lookAtClaim(world: World, claim: Claim): void {
  const differences = claimDifferences(world, claim);
  if (differences.length === 0) world.differing.delete(claim);
  else world.differing.set(claim, differences);
  world.claims.settle(claim);
}

/** Notices are not recorded, and not caught up on when the mode changes. */
function recordNothing(world: World, thing: Noted): void {
  const last = thing.untold.at(-1);
  thing.untold.length = 0;
  if (!(thing instanceof Thing)) return;
  if (last === undefined || thing.told === last.decision) return;
  thing.told = last.decision;
  const reasons = [...new Set(last.notices.map(({ reason }) => reason))];
  const what = { wrote: '', shadow: true, decision: last.decision };
  thing.shadowed = last.decision;
  world.says.push(published(thing, what, `would record ${reasons.join(', ')}`));
}
