/** How bgp learns what it decided itself: after a restart, and of each turn. */
import type { Event } from '../../core/event.ts';
import { keyOf, type World } from './world.ts';

export function recall(world: World, event: Event): void {
  switch (event.kind) {
    case 'BgpConfigDecided':
      world.configsDecided.set(event.name, event);
      break;
    case 'BgpRoutingDecided':
      world.routingsDecided.set(event.name, event);
      break;
    case 'ObjectDecided':
      world.objectsDecided.set(keyOf(event.object, event.name), event);
      break;
    case 'ResourceForgotten':
      if (event.resource === 'cudnbgpconfig') world.configsDecided.delete(event.name);
      else world.routingsDecided.delete(event.name);
      break;
    default:
  }
}
