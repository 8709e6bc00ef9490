/** What came of a write to one of the two custom resources of BGP routing. */
import { contested, ROUTING_LIMITS } from './contest.ts';
import type { Done } from './input.ts';
import { storedResource } from './resource-fold.ts';
import type { ResourceStep, ResourceThing } from './resource.ts';
import { resourcePublished, statusWords } from './routing-sayings.ts';
import { expectShown } from './shown.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

/** The write of a resource's finalizer, or status, was attempted. */
export function publishedResource(world: World, thing: ResourceThing, done: Done): void {
  const step = thing.acting;
  thing.acting = undefined;
  world.routing.toPublish.add(thing);
  if (step === undefined) return;
  if (done.result === 'done') wroteResource(world, thing, step, done);
  else missedResource(world, thing, done);
  world.routing.settleResource(thing);
}

function wroteResource(world: World, thing: ResourceThing, step: ResourceStep, done: Done): void {
  const { stored, version } = done;
  thing.failed = 0;
  thing.failure = '';
  const { seen } = thing;
  if (step.status !== undefined) thing.written = step.status;
  if (seen?.uid === step.uid && stored !== undefined) thing.seen = storedResource(seen, stored);
  expectShown(world, thing, done.atMs);
  // The same version as before: a late fact made us write what was there already.
  if (version !== '' && version === thing.version) return;
  thing.version = version;
  for (const verb of step.wrote.split('+')) world.routing.tally.wrote(thing.kind, verb);
  const status = step.status === undefined ? '' : `: ${statusWords(step.status)}`;
  beContested(world, thing, step, done);
  const said = `wrote ${step.wrote.replace('+', ' and ')}${status}`;
  world.says.push(resourcePublished(thing, { wrote: step.wrote }, said));
}

function missedResource(world: World, thing: ResourceThing, done: Done): void {
  const { failing = '', message, againMs = 0, atMs } = done;
  thing.failed++;
  thing.restUntilMs = atMs + againMs;
  if (failing === '') return;
  world.routing.tally.failed(thing.kind, failing);
  if (thing.failure === message) return;
  thing.failure = message;
  const said = `could not write (${failing}): ${message}; it is tried again`;
  world.says.push(resourcePublished(thing, { wrote: '', failure: message }, said));
}

/** The same again: somebody had undone it. */
function beContested(world: World, thing: ResourceThing, step: ResourceStep, done: Done): void {
  const again = thing.done === step.content;
  thing.done = step.content;
  if (!again) return;
  world.routing.tally.restored(thing.kind, 'status');
  if (!contested(thing, ROUTING_LIMITS, done.atMs, done.stranger ?? '')) return;
  const note = `${thing.foreign} keeps rewriting the status; it is restored, but ever more rarely`;
  notify(world, thing, { reason: 'ForeignWriter', type: 'Warning', note }, done.atMs);
}
