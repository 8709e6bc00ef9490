/** What came of a write, and of the recording of notices. */
import type { Outcome } from '../../core/outcome.ts';
import type { Saying } from '../../core/event.ts';
import type { Item } from '../../core/fact.ts';
import { list } from '../../core/say.ts';
import { settle } from './fold.ts';
import type { Input } from './input.ts';
import type { Thing } from './object.ts';
import type { World } from './world.ts';

type Done = Extract<Input, { kind: 'Done' }>;

export function sense(world: World, input: Input): void {
  if (input.kind === 'Shape') {
    if (world.statusSubresource === input.statusSubresource) return;
    world.statusSubresource = input.statusSubresource;
    for (const thing of world.egressIPs.values()) world.toWrite.add(thing);
    return;
  }
  const { act } = input;
  const thing = world.thing(act.object, act.name);
  if (act.kind === 'Write') wrote(world, thing, input);
  else told(world, thing, input);
  settle(world, thing);
}

function wrote(world: World, thing: Thing, done: Done): void {
  const write = thing.writing;
  world.writes--;
  if (write === undefined) return;
  const still = thing.uid === done.act.uid;
  if (done.result === 'done' && still) {
    if (write.mark !== 0) thing.marked = true;
    if (write.wrote.includes('status')) world.setItems(thing, write.items);
  }
  world.setWriting(thing, undefined);
  world.toWrite.add(thing);
  const failedBefore = thing.failedWrites;
  const again = done.result === 'failed' || done.result === 'gone';
  thing.failedWrites = again ? failedBefore + 1 : 0;
  if (done.result === 'refused') thing.refused = write.decision;
  if (done.result === 'gone') return;
  if (done.result === 'done') world.says.push(success(thing, write.items, write.wrote, write.decision, done));
  else if (failedBefore === 0) world.says.push(failure(thing, done));
}

function told(world: World, thing: Thing, done: Done): void {
  const telling = thing.telling;
  thing.telling = undefined;
  world.tells--;
  if (telling === undefined) return;
  if (done.result === 'failed') {
    thing.failedTells++;
    world.toTell.add(thing);
    return;
  }
  thing.failedTells = 0;
  if (thing.untold[0]?.sequence === telling.decision) thing.untold.shift();
  thing.told = telling.decision;
  if (thing.untold.length > 0) world.toTell.add(thing);
  const reasons = telling.notices.map(({ reason }) => reason);
  world.says.push(saying(thing, 'events', '', `recorded ${list([...new Set(reasons)], 5)}`, telling.decision));
}

function success(thing: Thing, items: readonly Item[], wrote: string, decision: number, done: Done): Saying {
  const { wanted } = thing;
  const what = items.map(({ egressIP, node }) => `${egressIP} on ${node}`);
  const status = wrote.includes('status') ? `: ${list(what, 5) || 'empty'}` : '';
  const lateMs = wanted?.sequence === decision ? done.atMs - wanted.atMs : undefined;
  const late = lateMs === undefined ? '' : ` (${Math.max(0, lateMs)} ms after the decision)`;
  return saying(thing, wrote, '', `wrote ${wrote.replace('+', ' and ')}${status}${late}`, decision);
}

function failure(thing: Thing, done: Done): Saying {
  const next = done.result === 'refused' ? 'the next decision will be tried' : 'will be tried again';
  return saying(thing, '', done.message, `could not write: ${done.message}; ${next}`, thing.wanted?.sequence);
}

function saying(thing: Thing, wrote: string, why: string, said: string, cause: number | undefined): Saying {
  const { name, uid, told: toldUpTo, items } = thing;
  const event: Outcome =
    thing.kind === 'node'
      ? { kind: 'NodePublished', name, uid, told: toldUpTo, failure: why }
      : {
          kind: 'EgressIPPublished',
          name,
          uid,
          told: toldUpTo,
          items,
          wrote,
          failure: why,
          shadow: false,
          foreign: '',
        };
  const causes = cause === undefined ? [] : [{ stream: 'assigner' as const, sequence: cause }];
  return { event, causes, said };
}
