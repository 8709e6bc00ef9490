/** The difference between what is wanted and what is there, as the smallest writes. */
import type { Turn } from '../../core/room.ts';
import { eventRequests } from './event.ts';
import type { Act } from './input.ts';
import { sameItems, type Thing, type Wanted } from './object.ts';
import { egressIPRequests } from './requests.ts';
import type { World } from './world.ts';

/** Objects written at the same time: enough to keep an API server busy, not to flood it. */
const WRITES = 24;
/** Objects whose Kubernetes Events are recorded at the same time, when nothing is to be written. */
const TELLS = 4;

export function decide(world: World): Turn<Act> {
  const says = world.says.splice(0);
  const does: Act[] = [];
  if (world.statusSubresource !== undefined) {
    while (world.writes < WRITES && world.toWrite.size > 0) takeWrite(world, does);
    const quiet = world.writes === 0 && world.toWrite.size === 0;
    while (quiet && world.tells < TELLS && world.toTell.size > 0) takeTell(world, does);
  }
  return { says, does, more: false };
}

function first<T>(set: Set<T>): T | undefined {
  for (const one of set) {
    set.delete(one);
    return one;
  }
  return undefined;
}

function takeWrite(world: World, does: Act[]): void {
  const thing = first(world.toWrite);
  if (thing === undefined || thing.writing !== undefined) return;
  const { wanted, uid, name } = thing;
  if (wanted === undefined || uid === '' || wanted.uid !== uid) return;
  if (thing.refused === wanted.sequence) return;
  const items = world.allowed(thing, wanted.items);
  const status = sameItems(items, thing.items) ? undefined : items;
  const mark = thing.marked ? 0 : wanted.mark;
  if (status === undefined && mark === 0) return;
  const requests = egressIPRequests(name, uid, status, mark, world.statusSubresource === true);
  const wrote = [status === undefined ? '' : 'status', mark === 0 ? '' : 'mark'];
  world.setWriting(thing, {
    items: items,
    mark,
    wrote: wrote.filter((word) => word !== '').join('+'),
    decision: wanted.sequence,
  });
  world.writes++;
  does.push({ kind: 'Write', object: 'egressip', name, uid, requests, failed: thing.failedWrites });
}

function takeTell(world: World, does: Act[]): void {
  const thing = first(world.toTell);
  if (thing === undefined || thing.telling !== undefined) return;
  const next = nextUntold(thing);
  if (next === undefined || thing.uid === '') return;
  const { kind, name, uid } = thing;
  const requests = next.notices.map((notice, index) => eventRequests(thing, next, notice, index));
  thing.telling = { decision: next.sequence, notices: next.notices };
  world.tells++;
  does.push({ kind: 'Tell', object: kind, name, uid, requests, failed: thing.failedTells });
}

/** Notices about an object that was replaced since are nobody's news. */
function nextUntold(thing: Thing): Wanted | undefined {
  while (thing.untold.length > 0) {
    const next = thing.untold[0];
    if (next?.uid === thing.uid) return next;
    if (thing.uid === '') return undefined;
    thing.untold.shift();
  }
  return undefined;
}
