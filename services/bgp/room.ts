/** bgp: decides what keeps pod networks routed over BGP, and how it stands. It touches nothing. */
import type { Room } from '../../core/room.ts';
import { decide } from './decide.ts';
import { fold } from './fold.ts';
import type { Act, Input } from './input.ts';
import { unheard } from './kinds.ts';
import { readings } from './readings.ts';
import { World } from './world.ts';

export function bgp(): Room<World, Input, Act> {
  return {
    name: 'bgp',
    hears: ['watcher', 'aws-sync', 'bgp'],
    fresh: () => new World(),
    fold,
    sense: (world, { nowMs }) => world.reach(nowMs),
    reach: (world, nowMs) => world.reach(nowMs),
    decide,
    waits: unheard,
    readings,
  };
}
