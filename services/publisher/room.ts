/** The publisher: the one hand that writes to the cluster, and only what differs. */
import type { Room } from '../../core/room.ts';
import { decide } from './decide.ts';
import { fold } from './fold.ts';
import type { Act, Input } from './input.ts';
import { sense } from './sense.ts';
import { World } from './world.ts';

export function publisher(): Room<World, Input, Act> {
  return {
    name: 'publisher',
    hears: ['watcher', 'assigner', 'publisher'],
    fresh: () => new World(),
    fold,
    sense,
    decide,
    waits: (world) => (world.statusSubresource === undefined ? 'EgressIPs to be served' : ''),
  };
}
