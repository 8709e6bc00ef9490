/** aws-sync: keeps in AWS what BGP routing needs there, and tells what it finds. */
import type { Room } from '../../core/room.ts';
import { decide } from './decide.ts';
import { fold } from './fold.ts';
import { type Act, type Input, type Settings, usualTimes } from './input.ts';
import { readings } from './readings.ts';
import { sense } from './sense.ts';
import { World } from './world.ts';

/** 20 peers per endpoint: the quota that every account begins with. */
export const usualSettings: Settings = { times: usualTimes, peersPerEndpoint: 20 };

export function awsSync(settings: Settings = usualSettings): Room<World, Input, Act> {
  return {
    name: 'aws-sync',
    hears: ['watcher', 'aws-sync'],
    fresh: () => new World(settings),
    fold,
    sense,
    decide,
    readings,
    waits: () => '',
  };
}
