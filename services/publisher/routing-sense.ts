/** What came of a write for BGP routing. */
import { managedOf } from '../../core/managed-object.ts';
import { contested, ROUTING_LIMITS } from './contest.ts';
import type { Done, RoutingAct } from './input.ts';
import type { Managed, ManagedStep } from './managed.ts';
import { differencesOf, situationOf } from './managed-step.ts';
import type { ResourceThing } from './resource.ts';
import { publishedResource } from './resource-sense.ts';
import { failureWords, objectPublished, objectWords } from './routing-sayings.ts';
import { expectShown } from './shown.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

export function routingDone(world: World, act: RoutingAct, done: Done): void {
  const { routing } = world;
  world.writes--;
  world.wroteMs = done.atMs;
  world.tally.wrote(done.result, done.tookMs);
  const { object, name } = act;
  if (object === 'cudnbgpconfig' || object === 'cudnbgprouting')
    return publishedResource(world, routing.resource(object, name), done);
  const managed = routing.object(object, name);
  const step = managed.acting;
  managed.acting = undefined;
  routing.toManage.add(managed);
  if (step === undefined) return;
  if (done.result === 'done') succeeded(world, managed, step, done);
  else failed(world, managed, step, done);
  routing.stirOwner(step.wanted.decision.owner);
  routing.settle(managed);
}

function succeeded(world: World, managed: Managed, step: ManagedStep, done: Done): void {
  const { stored, version } = done;
  const differ = step.verb === 'update' ? differencesOf(managed) : [];
  const before = managed.seen;
  const troubled = managed.failing !== '';
  managed.failed = 0;
  managed.failing = '';
  managed.failure = '';
  if (step.verb === 'delete') managed.doomed = step.uid;
  else if (stored !== undefined) {
    const now = managedOf(managed.object, stored);
    // Facts that are heard meanwhile may be older than what the server answered.
    managed.seen = now;
    managed.accepted = now.spec;
    managed.acceptedFor = step.wanted.content;
    managed.acceptedIn = step.wanted.sequence;
    if (step.verb === 'create') managed.made = now.uid;
    if (managed.object === 'Network' && managed.before === '') managed.before = before?.spec ?? '';
  }
  expectShown(world, managed, done.atMs);
  // The same version as before: a late fact made us write what was there already.
  const nothing = step.verb === 'update' && version !== '' && version === managed.version;
  managed.version = version;
  if (nothing && !troubled) return;
  if (!nothing) count(world, managed, step, done);
  const said = objectWords(step, differ);
  world.says.push(objectPublished(managed, { wrote: nothing ? '' : step.verb }, said));
}

/** The same again: somebody had undone it. */
function count(world: World, managed: Managed, step: ManagedStep, done: Done): void {
  const { tally } = world.routing;
  tally.wrote(managed.object, step.verb);
  const again = managed.done === step.wanted.content;
  managed.done = step.wanted.content;
  if (!again) return;
  tally.restored(managed.object, step.verb);
  if (!contested(managed, ROUTING_LIMITS, done.atMs, done.stranger ?? '')) return;
  const { kind, name } = ownerOf(step.wanted.decision.owner);
  const note =
    `${managed.foreign} keeps rewriting ${managed.object} ${managed.name}; ` +
    'it is restored, but ever more rarely';
  const owner = world.routing.resource(kind, name);
  notify(world, owner, { reason: 'ForeignWriter', type: 'Warning', note }, done.atMs);
}

function ownerOf(owner: string): { kind: ResourceThing['kind']; name: string } {
  const slash = owner.indexOf('/');
  const kind = owner.slice(0, slash) === 'cudnbgprouting' ? 'cudnbgprouting' : 'cudnbgpconfig';
  return { kind, name: owner.slice(slash + 1) };
}

/** Told when it fails otherwise than before: a hundred attempts are one story. */
function failed(world: World, managed: Managed, step: ManagedStep, done: Done): void {
  const { result, failing = '', message, againMs = 0, atMs } = done;
  managed.failed++;
  managed.restUntilMs = atMs + againMs;
  if (step.wanted !== managed.wanted) managed.restUntilMs = 0;
  if (failing === '') return;
  world.routing.tally.failed(managed.object, failing);
  managed.refused = result === 'refused' ? situationOf(managed) : '';
  if (managed.failing === failing && managed.failure === message) return;
  managed.failing = failing;
  managed.failure = message;
  managed.failedIn = step.wanted.sequence;
  managed.failingMs = atMs;
  world.says.push(objectPublished(managed, {}, failureWords(managed, step)));
}
