/** What came of a write, and of the recording of notices. */
import { attempted } from './claim-sense.ts';
import { beForeign } from './foreign.ts';
import type { Done, Input, TellAct, Until } from './input.ts';
import { keyOf, type Thing } from './object.ts';
import { routingDone } from './routing-sense.ts';
import { wokeAgain } from './routing-turn.ts';
import { failure, success } from './sayings.ts';
import { settle } from './settle.ts';
import { dueLooks, expectShown, looked } from './shown.ts';
import { told } from './told.ts';
import type { World } from './world.ts';

export function sense(world: World, input: Input): void {
  world.routing.late = false;
  switch (input.kind) {
    case 'Shape':
      world.nowMs = input.atMs;
      return reshape(world, input.statusSubresource);
    case 'Woke':
      return woke(world, input.atMs, input.until);
    case 'Done':
      return done(world, input);
    case 'Looked':
      world.nowMs = input.atMs;
      return looked(world, input);
  }
}

function done(world: World, input: Done): void {
  const { act } = input;
  world.nowMs = input.atMs;
  if (input.statusSubresource !== undefined) reshape(world, input.statusSubresource);
  if (act.kind === 'Claim') return attempted(world, act, input);
  if (act.kind === 'Routing') return routingDone(world, act, input);
  if (act.kind === 'Tell') return toldOne(world, act, input);
  const thing = world.thing('egressip', act.name);
  wrote(world, thing, input);
  world.wroteMs = input.atMs;
  settle(world, thing);
}

function toldOne(world: World, { object, name }: TellAct, input: Done): void {
  if (object === 'egressip' || object === 'node') {
    const thing = world.thing(object, name);
    told(world, thing, input);
    return settle(world, thing);
  }
  const thing = world.routing.resource(object, name);
  told(world, thing, input);
  world.routing.settleResource(thing);
}

function reshape(world: World, statusSubresource: boolean): void {
  if (world.statusSubresource === statusSubresource) return;
  world.statusSubresource = statusSubresource;
  for (const thing of world.egressIPs.values()) world.toWrite.add(thing);
}

/**
 * What was created and never seen is looked for anew; what was held is restored when it is time.
 */
function woke(world: World, atMs: number, until: Until): void {
  world.nowMs = atMs;
  if (until === 'quiet') {
    world.pausing = false;
    return;
  }
  if (until === 'again') return wokeAgain(world);
  world.waiting = false;
  dueLooks(world, atMs);
  for (const thing of world.held) {
    if (thing.heldUntilMs > atMs) continue;
    world.held.delete(thing);
    world.toWrite.add(thing);
  }
  for (const claim of world.expected) {
    if (claim.expectedMs > atMs) continue;
    world.expected.delete(claim);
    claim.expectedMs = 0;
    world.toClaim.add(claim);
  }
}

function wrote(world: World, thing: Thing, done: Done): void {
  const write = thing.writing;
  world.writes--;
  if (thing.starting) world.starting--;
  thing.starting = false;
  if (write === undefined) return;
  world.tally.wrote(done.result, done.tookMs);
  const { result } = done;
  if (result === 'done' && thing.uid === uidOf(done)) {
    if (write.mark !== 0) thing.marked = true;
    if (write.wrote.includes('status')) world.setItems(thing, write.items);
    for (const { egressIP } of write.items) world.formerHolders.delete(egressIP);
    expectShown(world, thing, done.atMs);
  }
  world.setWriting(thing, undefined);
  world.toWrite.add(thing);
  const before = thing.failedWrites;
  thing.failedWrites = result === 'done' || result === 'refused' ? 0 : before + 1;
  const key = keyOf(write.decision, write.items, thing.wanted?.mark ?? 0);
  if (result === 'done') {
    // The same version as before: a late fact made us write what was there already.
    if (done.version !== '' && done.version === thing.version) return;
    thing.version = done.version;
    beForeign(world, thing, key, done);
    world.says.push(success(thing, write, done));
  } else if (result === 'refused') {
    // The mark alone may be what the admission policy refuses; the status must not wait for it.
    if (write.mark !== 0) thing.markRefused = write.decision;
    else thing.refused = key;
    world.says.push(failure(thing, done));
  } else if (result === 'failed' && before === 0) world.says.push(failure(thing, done));
}

const uidOf = ({ act }: Done): string => (act.kind === 'Claim' ? '' : act.uid);
