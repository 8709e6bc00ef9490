/** How the publisher learns of BGP routing: what is wanted, what is there, what was done. */
import type { Event, Heard } from '../../core/event.ts';
import { loseObject, recallObject, seeObject, stir, wantObject } from './managed-fold.ts';
import { places } from './managed-requests.ts';
import { recallResource, seeResource, standResource } from './resource-fold.ts';
import type { World } from './world.ts';

export function foldRouting(world: World, heard: Heard, event: Event): void {
  const { routing } = world;
  switch (event.kind) {
    case 'ObjectSeen':
      return seeObject(world, event.seen);
    case 'ObjectGone':
      return loseObject(world, routing.object(event.object, event.name), event.uid);
    case 'ObjectDecided':
      return wantObject(world, heard, event);
    case 'ObjectPublished':
      return recallObject(world, heard, event);
    case 'KindSeen':
      return serve(world, event.plural, event.served);
    case 'BgpConfigSeen': {
      const { config } = event;
      return seeResource(world, 'cudnbgpconfig', config, config.aws !== undefined);
    }
    case 'BgpRoutingSeen':
      return seeResource(world, 'cudnbgprouting', event.routing, false);
    case 'BgpConfigGone':
      return seeResource(world, 'cudnbgpconfig', event, false);
    case 'BgpRoutingGone':
      return seeResource(world, 'cudnbgprouting', event, false);
    case 'BgpConfigDecided':
    case 'BgpRoutingDecided':
    case 'ResourceForgotten':
    case 'AwsJudged':
      return standResource(world, heard, event);
    case 'ResourcePublished':
      return recallResource(world, heard, event);
    default:
      return undefined;
  }
}

/** Whatever waited for the kind is looked at. */
function serve(world: World, plural: string, served: boolean): void {
  const { routing } = world;
  routing.served.set(plural, served);
  for (const managed of routing.managed) {
    if (places[managed.object].plural !== plural) continue;
    if (managed.failing === 'unserved') managed.restUntilMs = 0;
    stir(world, managed);
  }
}
