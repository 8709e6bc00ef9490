/** The publisher: the one hand that writes to the cluster, and only what differs. */
import type { Room } from '../../core/room.ts';
import { decide } from './decide.ts';
import { fold } from './fold.ts';
import type { Act, Input } from './input.ts';
import { readings } from './readings.ts';
import { sense } from './sense.ts';
import { type Mode, World } from './world.ts';

export interface Settings {
  readonly mode: Mode;
  /** Events are recorded when nothing was written for so long: statuses come first. */
  readonly quietMs?: number;
}

/** In shadow mode it has no act at all: nothing of any kind is written to the cluster. */
export function publisher(settings: Settings = { mode: 'enforce' }): Room<World, Input, Act> {
  const { mode, quietMs = 0 } = settings;
  return {
    name: 'publisher',
    hears: ['watcher', 'assigner', 'bgp', 'aws-sync', 'publisher'],
    eager: true,
    fresh: () => new World(mode, quietMs),
    fold,
    sense,
    decide,
    readings,
    waits: (world) =>
      mode === 'enforce' && world.statusSubresource === undefined ? 'EgressIPs to be served' : '',
  };
}
