/** A name that neither the cluster nor the decisions know any more is forgotten. */
import type { Thing } from './object.ts';
import type { World } from './world.ts';

export function settle(world: World, thing: Thing): void {
  if (thing.uid !== '' || thing.wanted !== undefined) return;
  if (thing.writing !== undefined || thing.telling !== undefined) return;
  (thing.kind === 'egressip' ? world.egressIPs : world.nodes).delete(thing.name);
  world.toWrite.delete(thing);
  world.toStart.delete(thing);
  world.toTell.delete(thing);
  world.held.delete(thing);
  world.differing.delete(thing);
}
