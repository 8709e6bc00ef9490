/** Headroom that follows a room's world once somebody asked for it, and its numbers. */
import type { Heard } from '../../core/event.ts';
import type { Reading } from '../../core/room.ts';
import { fold } from './fold.ts';
import { Headroom, type Homeless } from './headroom.ts';
import type { World } from './world.ts';

/** Nobody asks: nothing is kept, and nothing is spent. */
const kept = new WeakMap<World, Headroom>();

/** The headroom of a world that learns its events by `foldWatched`. */
export function headroomOf(world: World): Headroom {
  const headroom = kept.get(world) ?? new Headroom(world);
  kept.set(world, headroom);
  return headroom;
}

export function foldWatched(world: World, heard: Heard): void {
  const headroom = kept.get(world);
  headroom?.before(heard);
  fold(world, heard);
  headroom?.after(heard);
}

/**
 * For each selector how many of its addresses would have no node if the worst single node, or
 * zone, were lost. Each time it is asked some milliseconds of work are done; `headroom_pending` is
 * what is not up to date yet.
 */
export function* headroomReadings(world: World): Generator<Reading> {
  const headroom = headroomOf(world);
  headroom.step();
  const kind = 'gauge';
  for (const lost of ['node', 'zone'] as const)
    for (const [selector, value] of worstOf(world, headroom, lost))
      yield {
        kind,
        name: 'headroom_homeless_addresses',
        help: 'Addresses without a node if the worst single node or zone were lost.',
        value,
        labels: { lost, selector },
      };
  yield {
    kind,
    name: 'headroom_pending',
    help: 'Nodes and zones whose headroom is to be computed anew.',
    value: headroom.pending,
  };
}

/** Selector → the most addresses that a single loss leaves without a node. */
function worstOf(
  world: World,
  { losses }: Headroom,
  lost: 'node' | 'zone',
): ReadonlyMap<string, number> {
  const worst = new Map([...world.uses].map(({ selector }) => [selector.text, 0]));
  const selectorOf = ({ egressIP }: Homeless): string =>
    world.claims.get(egressIP)?.use?.selector.text ?? '';
  for (const [target, homeless] of losses) {
    if (!target.startsWith(lost)) continue;
    for (const [selector, those] of Map.groupBy(homeless, selectorOf))
      if (worst.has(selector))
        worst.set(selector, Math.max(worst.get(selector) ?? 0, those.length));
  }
  return worst;
}
