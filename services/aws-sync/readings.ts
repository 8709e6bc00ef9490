/** The numbers of aws-sync for Prometheus. */
import type { Reading } from '../../core/room.ts';
import { ownerOf } from './ledger.ts';
import type { World } from './world.ts';

/** The states of peers that are there (facts 1.1). */
const living: readonly string[] = ['pending', 'available', 'deleting', 'failing', 'failed'];

export function* readings(world: World): Generator<Reading> {
  const { tally } = world;
  yield {
    ...{ name: 'aws_peers_wanted', kind: 'gauge', value: tally.wanted },
    help: 'Route Server peers that are wanted.',
  };
  // A state that no peer is in is told as well: what is missing must not be missing here.
  const states = new Map(living.map((state) => [state, 0]));
  let up = 0;
  for (const region of world.regions.values())
    for (const peer of region.peers.values()) {
      if (ownerOf(world, peer) !== 'ours') continue;
      states.set(peer.state, (states.get(peer.state) ?? 0) + 1);
      if (peer.bgp === 'up') up++;
    }
  for (const [state, value] of states)
    yield {
      ...{ name: 'aws_peers', kind: 'gauge', value, labels: { state } },
      help: 'Route Server peers of ours by state.',
    };
  yield {
    ...{ name: 'aws_peers_up', kind: 'gauge', value: up },
    help: 'Route Server peers of ours whose BGP session is up, as AWS tells it.',
  };
  for (const { action, code, count: value } of tally.calls.values())
    yield {
      ...{ name: 'aws_calls_total', kind: 'counter', value, labels: { action, code } },
      help: 'Calls to AWS by action and error code; no code = success.',
    };
  yield {
    ...{ name: 'aws_held_up_seconds_total', kind: 'counter', value: tally.heldUpMs / 1000 },
    help: 'How long calls waited for their turn, so that AWS need not refuse them.',
  };
  yield {
    ...{ name: 'aws_source_dest_check_reverts_total', kind: 'counter', value: tally.reverts },
    help: 'How often a source/destination check was turned off again after somebody else.',
  };
}
