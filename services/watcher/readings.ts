/** The watcher's numbers for Prometheus: whom it probes, and whether it believes the answers. */
import type { Reading } from '../../core/room.ts';
import type { World } from './world.ts';

export function* readings(world: World): Generator<Reading> {
  const gauge = (name: string, help: string, value: number): Reading => ({
    kind: 'gauge',
    name,
    help,
    value,
  });
  const members = [...world.probes.members.values()];
  const silent = members.filter(({ reachable }) => reachable === false).length;
  yield gauge('probed_nodes', 'Nodes whose health is probed.', members.length);
  yield gauge('unreachable_nodes', 'Probed nodes that count as unreachable.', silent);
  yield gauge(
    'prober_isolated',
    'Whether most probes fail together, so that the prober doubts itself and holds.',
    Number(world.probes.isolation.isolated),
  );
}
