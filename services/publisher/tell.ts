/** Notices on their way to Kubernetes, the same again counted, and each told once over restarts. */
import type { Notice } from '../../core/decision.ts';
import type { KubeRequest } from '../../core/door.ts';
import { eventName, eventRequest } from './event.ts';
import type { TellAct } from './input.ts';
import type { Noted, Untold } from './noted.ts';
import type { World } from './world.ts';

/** A notice of our own about an object that is there: what befell it on the way to the cluster. */
export function notify(world: World, thing: Noted, notice: Notice, atMs: number): void {
  if (thing.uid === '') return;
  const serial = world.nextSerial();
  thing.untold.push({ decision: 0, serial, atMs, uid: thing.uid, notices: [notice] });
  world.toTell.add(thing);
}

export function takeTell(world: World, thing: Noted): TellAct | undefined {
  if (thing.telling !== undefined) return undefined;
  const next = nextUntold(thing);
  if (next === undefined || thing.uid === '') return undefined;
  const requests: KubeRequest[] = [];
  let after = thing.record;
  for (const [index, notice] of next.notices.entries()) {
    const planned = after.plan(notice, eventName(thing, next, index), next.atMs);
    requests.push(eventRequest(thing, planned.entry, next.atMs));
    after = planned.after;
  }
  thing.telling = { decision: next.decision, stream: next.stream, notices: next.notices, after };
  world.tells++;
  const { kind: object, name, uid, failedTells: failed } = thing;
  return { kind: 'Tell', object, name, uid, requests, failed };
}

/**
 * Notices about an object that was replaced since are nobody's news; those about one that no fact
 * shows yet wait for it.
 */
function nextUntold(thing: Noted): Untold | undefined {
  const at = thing.untold.findIndex(({ uid }) => uid === thing.uid);
  if (at < 0) return undefined;
  thing.untold.splice(0, at);
  return thing.untold[0];
}
