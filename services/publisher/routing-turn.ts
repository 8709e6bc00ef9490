/** The next writes for BGP routing, as acts. */
import type { KubeRequest } from '../../core/door.ts';
import type { Act, RoutingAct } from './input.ts';
import { pacified, PEACE_MS } from './contest.ts';
import type { Managed } from './managed.ts';
import { managedRequest, readRequest } from './managed-requests.ts';
import { managedStep } from './managed-step.ts';
import type { ResourceThing } from './resource.ts';
import { resourceRequest } from './resource-requests.ts';
import { resourceStep } from './resource-step.ts';
import { objectPublished } from './routing-sayings.ts';
import type { World } from './world.ts';

/** What is to be done about an object now; a wait where it may not be done yet. */
export function takeManaged(world: World, managed: Managed): Act | undefined {
  if (managed.acting !== undefined) return undefined;
  const step = managedStep(world.routing, managed);
  if (step === undefined) return settled(world, managed);
  const again = managed.done === step.wanted.content;
  const untilMs = Math.max(managed.restUntilMs, again ? managed.heldUntilMs : 0);
  if (untilMs > 0) {
    const wait = rest(world, managed, untilMs);
    if (wait !== 'now') return wait;
  }
  managed.acting = step;
  managed.lived = true;
  world.writes++;
  const { object, name, failed } = managed;
  const asks = again && step.verb === 'update' ? readRequest(object, name) : undefined;
  return routingAct(object, name, step.uid, [managedRequest(managed, step)], failed, asks);
}

export function takeResource(world: World, thing: ResourceThing): Act | undefined {
  if (thing.acting !== undefined) return undefined;
  const turn = resourceStep(world.routing, thing);
  if (turn === undefined) {
    thing.failed = 0;
    return undefined;
  }
  const again = thing.done === turn.content;
  const untilMs = Math.max(thing.restUntilMs, again ? thing.heldUntilMs : 0);
  if (untilMs > 0) {
    const wait = rest(world, thing, untilMs);
    if (wait !== 'now') return wait;
  }
  const { requests, ...step } = turn;
  thing.acting = step;
  world.writes++;
  const asks = again ? resourceRequest(thing) : undefined;
  return routingAct(thing.kind, thing.name, step.uid, requests, thing.failed, asks);
}

const routingAct = (
  object: RoutingAct['object'],
  name: string,
  uid: string,
  requests: readonly KubeRequest[],
  failed: number,
  asks: KubeRequest | undefined,
): RoutingAct => ({ kind: 'Routing', object, name, uid, requests, failed, asks });

/**
 * Looks at it again then. `now` = the time has come; undefined = somebody asked for that already.
 * When something was heard since we last learned the time, that is asked for first.
 */
function rest(
  { routing, nowMs }: World,
  thing: Managed | ResourceThing,
  untilMs: number,
): Act | 'now' | undefined {
  if (untilMs <= nowMs) return 'now';
  const wakeMs = routing.late ? nowMs + 1 : Math.ceil(untilMs);
  if (routing.resting.has(thing) && thing.wakeMs <= wakeMs) return undefined;
  routing.resting.add(thing);
  thing.wakeMs = wakeMs;
  return { kind: 'Wait', ms: wakeMs - nowMs, until: 'again' };
}

/** All is as wanted: troubles are over, an opponent is forgotten when it kept still long enough. */
function settled(world: World, managed: Managed): Act | undefined {
  world.routing.settle(managed);
  if (managed.wanted === undefined) return undefined;
  const before = managed.failing;
  managed.failed = 0;
  managed.failing = '';
  managed.failure = '';
  if (before !== '' && managed.lived)
    world.says.push(objectPublished(managed, {}, 'is as wanted by now'));
  if (managed.foreign === undefined) return undefined;
  const untilMs = (managed.restored.at(-1) ?? 0) + PEACE_MS;
  const wait = rest(world, managed, untilMs);
  if (wait !== 'now') return wait;
  const who = managed.foreign;
  pacified(managed);
  managed.lived = true;
  if (managed.wanted !== undefined) world.routing.stirOwner(managed.wanted.decision.owner);
  world.says.push(objectPublished(managed, {}, `${who} has kept still: it is at peace again`));
  return undefined;
}

/** A timer may ring a little early: who waited for it must not be left to wait for ever. */
const EARLY_MS = 50;

/** The time is known: what rested is looked at again. */
export function wokeAgain({ routing, nowMs }: World): void {
  for (const thing of routing.resting) {
    if (thing.wakeMs > nowMs + EARLY_MS) continue;
    routing.resting.delete(thing);
    if ('object' in thing) routing.toManage.add(thing);
    else routing.toPublish.add(thing);
  }
}
