/** The watcher: turns what it sees of the cluster into facts, and tells only what is news. */
import type { Room } from '../../core/room.ts';
import { decide } from './decide.ts';
import type { Act, Input, Settings } from './input.ts';
import { readings } from './readings.ts';
import { fold, sense } from './sense.ts';
import { World } from './world.ts';

export function watcher(settings: Settings): Room<World, Input, Act> {
  return {
    name: 'watcher',
    hears: ['watcher'],
    fresh: () => new World(settings),
    fold,
    sense,
    decide,
    waits,
    readings,
  };
}

function waits(world: World): string {
  const missing = world.needed.find(({ listed }) => !listed);
  if (missing !== undefined) return `the list of ${missing.kind.plural}`;
  if (world.platform === undefined) return 'the platform of the cluster';
  const { complete, isolation } = world.probes;
  if (complete) return '';
  if (!isolation.isolated || !world.takingOver) return 'the first answer of each probed node';
  const hint = 'is the health port right? SLUICE_PROBES=off takes over without probes';
  return `nodes to answer: ${isolation.because}; ${hint}`;
}
