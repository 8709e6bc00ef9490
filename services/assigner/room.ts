/** The assigner: decides which node hosts which egress IP, or why none. It touches nothing. */
import type { Room } from '../../core/room.ts';
import { decide, isPictured } from './decide.ts';
import { foldWatched, headroomReadings } from './headroom-watch.ts';
import type { Act, Input, Settings } from './input.ts';
import { World } from './world.ts';

export function assigner(settings: Settings): Room<World, Input, Act> {
  return {
    name: 'assigner',
    hears: ['watcher', 'assigner'],
    fresh: () => new World(settings),
    fold: foldWatched,
    sense: (world, { nowMs }) => world.reach(nowMs),
    reach: (world, nowMs) => world.reach(nowMs),
    decide,
    waits: (world) => (!isPictured(world) ? 'the first complete picture of the watcher' : ''),
    readings: headroomReadings,
  };
}
