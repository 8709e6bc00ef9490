/** The difference between what is wanted and what is there, as the smallest writes. */
import type { Turn } from '../../core/room.ts';
import { claimAct } from './claim-requests.ts';
import { stepOf } from './claim-step.ts';
import type { Claim } from './claims.ts';
import type { Act } from './input.ts';
import { itemsOf, looksOf } from './items.ts';
import { report } from './left-alone.ts';
import { keyOf, sameItems, type Thing } from './object.ts';
import { egressIPRequests } from './requests.ts';
import { takeManaged, takeResource } from './routing-turn.ts';
import { shadowTurn } from './shadow.ts';
import { takeLook } from './shown.ts';
import { takeTell } from './tell.ts';
import type { World } from './world.ts';

/** Objects written at the same time: enough to keep an API server busy, not to flood it. */
const WRITES = 16;
/** Of these, first statuses: nobody lost anything yet, and moves must not wait behind them. */
const FIRSTS = 6;
const CLAIMS = 12;
/** Objects whose Kubernetes Events are recorded at the same time, when nothing is to be written. */
const TELLS = 4;
/** Objects that were written long ago and no fact showed: they are read again. */
const LOOKS = 4;
/** Objects looked at in one turn: some milliseconds at most. */
const SLICE = 200;
/** How often it is looked whether a time has come. */
const WAIT_MS = 5_000;

export function decide(world: World): Turn<Act> {
  if (world.mode === 'shadow') return shadowTurn(world);
  const does: Act[] = [];
  const more = act(world, does);
  return { says: world.says.splice(0), does, more };
}

/** Returns whether there is more to look at. */
function act(world: World, does: Act[]): boolean {
  const { routing } = world;
  const take = (one: Act | undefined): void => void (one !== undefined && does.push(one));
  for (let looked = 0; ; looked++) {
    if (looked === SLICE) return true;
    if (world.writes < WRITES && routing.toManage.size > 0)
      take(takeManaged(world, first(routing.toManage)));
    else if (world.writes < WRITES && routing.toPublish.size > 0)
      take(takeResource(world, first(routing.toPublish)));
    else if (world.statusSubresource === undefined) break;
    else if (world.writes < WRITES && world.toWrite.size > 0)
      take(takeOrDefer(world, first(world.toWrite)));
    else if (world.writes < WRITES && world.starting < FIRSTS && world.toStart.size > 0)
      take(takeOrDefer(world, first(world.toStart)));
    else if (world.claiming < CLAIMS && world.toClaim.size > 0)
      take(takeClaim(world, first(world.toClaim)));
    else break;
  }
  const waiting = world.statusSubresource === undefined ? 0 : world.toWrite.size;
  const busy = world.writes > 0 || waiting > 0 || world.toStart.size > 0;
  const calm = !busy && world.toTell.size > 0;
  const restMs = world.wroteMs + world.quietMs - world.nowMs;
  if (calm && restMs > 0 && !world.pausing) {
    world.pausing = true;
    does.push({ kind: 'Wait', ms: restMs, until: 'quiet' });
  }
  while (calm && restMs <= 0 && world.tells < TELLS && world.toTell.size > 0)
    take(takeTell(world, first(world.toTell)));
  while (world.looking.size < LOOKS && world.toLook.size > 0)
    take(takeLook(world, first(world.toLook)));
  if (isWaiting(world)) does.push({ kind: 'Wait', ms: WAIT_MS, until: 'time' });
  return false;
}

/** Somebody must know the time, and nobody has asked for it yet. */
function isWaiting(world: World): boolean {
  const { held, expected, unshown } = world;
  if (world.waiting || held.size + expected.size + unshown.size === 0) return false;
  world.waiting = true;
  return true;
}

/** Takes the first of a set that has one. */
function first<T>(set: Set<T>): T {
  const [one] = set as Set<T> & Iterable<T>;
  set.delete(one as T);
  return one as T;
}

/** A first status waits where many of them are under way. */
function takeOrDefer(world: World, thing: Thing): Act | undefined {
  if (thing.writing === undefined && thing.items.length === 0 && world.starting >= FIRSTS) {
    world.toStart.add(thing);
    return undefined;
  }
  const act = takeWrite(world, thing);
  if (act === undefined || thing.items.length > 0) return act;
  thing.starting = true;
  world.starting++;
  return act;
}

function takeWrite(world: World, thing: Thing): Act | undefined {
  const wanted = thing.current;
  if (thing.writing !== undefined || wanted === undefined) return undefined;
  const { uid, name, failedWrites: failed } = thing;
  const items = itemsOf(world, thing, wanted);
  const status = sameItems(items, thing.items) ? undefined : items;
  const mark = thing.marked || thing.markRefused === wanted.sequence ? 0 : wanted.mark;
  if (status === undefined && mark === 0) return undefined;
  const key = keyOf(wanted.sequence, items, wanted.mark);
  if (thing.refused === key) return undefined;
  if (thing.accepted === key && thing.heldUntilMs > world.nowMs) {
    world.held.add(thing);
    return undefined;
  }
  const words = [status === undefined ? '' : 'status', mark === 0 ? '' : 'mark'];
  const wrote = words.filter((word) => word !== '').join('+');
  world.setWriting(thing, { items, mark, wrote, decision: wanted.sequence });
  world.writes++;
  const statusSubresource = world.statusSubresource === true;
  const requests = egressIPRequests(name, uid, status, mark, statusSubresource);
  const looks = looksOf(world, thing, items);
  const asks = thing.accepted === key && thing.foreign === undefined;
  const act = { kind: 'Write', name, uid, requests, looks, failed, asks } as const;
  return { ...act, items: status, statusSubresource };
}

function takeClaim(world: World, claim: Claim): Act | undefined {
  if (claim.acting !== undefined) return undefined;
  const step = stepOf(world, claim);
  if (step === undefined) {
    report(world, claim);
    world.claims.settle(claim);
    return undefined;
  }
  claim.acting = step;
  world.claiming++;
  return claimAct(claim, step);
}
