/** Joins the rooms, the very same that run in a cluster, to simulated doors. */
import type { Room } from '../../core/room.ts';
import type { Doors, Tenant } from '../../edge/simulated/world.ts';
import { live, type Doors as RoomDoors } from '../../edge/run.ts';
import { freshVitals } from '../../edge/vitality.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from '../../services/assigner/room.ts';
import type { World as Assignments } from '../../services/assigner/world.ts';
import { publisherPerform, publisherSenses } from '../../services/publisher/doors.ts';
import { publisher } from '../../services/publisher/room.ts';
import { watcherPerform, watcherSenses } from '../../services/watcher/doors.ts';
import type { Settings } from '../../services/watcher/input.ts';
import { watcher } from '../../services/watcher/room.ts';

export interface Rooms {
  readonly tenants: readonly Tenant[];
  /** What the assigner that lives now remembers; undefined before it ever lived. */
  readonly assignments: () => Assignments | undefined;
}

/** The settings of a fresh installation. */
export const usualSettings: Settings = {
  probing: 'grpc',
  port: 9107,
  deadlineMs: 1_000,
  intervalMs: 5_000,
  excluded: undefined,
  failures: 1,
  recoveries: 1,
};

export function rooms(settings: Settings): Rooms {
  let assignments: Assignments | undefined;
  const { excluded } = settings;
  const placing = assigner({ excluded });
  const watched = { ...placing, fresh: () => (assignments = placing.fresh()) };
  return {
    assignments: () => assignments,
    tenants: [
      tenant(watcher(settings), ({ cluster, clock, prober }) => ({
        senses: watcherSenses(cluster, clock, settings),
        perform: watcherPerform(prober),
      })),
      tenant(watched, ({ clock }) => ({ perform: wakePerform(clock) })),
      tenant(publisher(), ({ cluster, clock }) => ({
        senses: publisherSenses(cluster, clock),
        perform: publisherPerform(cluster, clock),
      })),
    ],
  };
}

function tenant<World, Input, Act>(
  room: Room<World, Input, Act>,
  join: (doors: Doors) => Omit<RoomDoors<Input, Act>, 'log' | 'clock'>,
): Tenant {
  return {
    name: room.name,
    live: async (doors, signal) => {
      const { log, clock } = doors;
      await live(room, { log, clock, ...join(doors) }, freshVitals(), signal);
    },
  };
}
