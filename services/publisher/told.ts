/** What came of the recording of notices. */
import { list } from '../../core/say.ts';
import type { Done } from './input.ts';
import type { Noted } from './noted.ts';
import { Thing } from './object.ts';
import { ResourceThing } from './resource.ts';
import { resourcePublished } from './routing-sayings.ts';
import { published } from './sayings.ts';
import type { World } from './world.ts';

/** Took in what came of recording the notices of one decision. */
export function told(world: World, thing: Noted, done: Done): void {
  const { telling } = thing;
  thing.telling = undefined;
  world.tells--;
  if (telling === undefined) return;
  if (done.result === 'gone') thing.record = thing.record.forgotten();
  if (done.result === 'failed' || done.result === 'gone') {
    thing.failedTells++;
    world.toTell.add(thing);
    return;
  }
  thing.failedTells = 0;
  if (done.result === 'done') thing.record = telling.after;
  const first = thing.untold[0];
  if (first?.decision === telling.decision && first.stream === telling.stream) thing.untold.shift();
  if (thing.untold.length > 0) world.toTell.add(thing);
  if (telling.decision === 0) return;
  if (thing instanceof ResourceThing && telling.stream === 'aws-sync')
    thing.toldAws = telling.decision;
  else thing.told = telling.decision;
  const reasons = [...new Set(telling.notices.map(({ reason }) => reason))];
  const { decision } = telling;
  const words = list(reasons, 5);
  const refused = done.result === 'refused';
  const said = refused ? `could not record ${words}: ${done.message}` : `recorded ${words}`;
  if (thing instanceof ResourceThing)
    world.says.push(resourcePublished(thing, { wrote: 'events' }, said));
  else if (thing instanceof Thing)
    world.says.push(published(thing, { wrote: 'events', decision }, said));
}
