/**
 * The publisher's numbers for Prometheus, upstream's names beside ours (`spec/egressip.md` 8.2).
 */
import type { Reading } from '../../core/room.ts';
import { bounds, type Tally } from './tally.ts';
import type { World } from './world.ts';

const UPSTREAM = 'ovnkube_clustermanager_';

type Kind = Reading['kind'];

const one = (kind: Kind, name: string, help: string, value: number): Reading => ({
  kind,
  name,
  help,
  value,
});

export function* readings(world: World): Generator<Reading> {
  const { tally } = world;
  const gauge = (name: string, help: string, value: number) => one('gauge', name, help, value);
  const counter = (name: string, help: string, value: number) => one('counter', name, help, value);
  yield gauge(`${UPSTREAM}num_egress_ips`, 'Egress IP addresses that have a node.', tally.placed);
  yield counter(
    `${UPSTREAM}egress_ips_node_unreachable_total`,
    'How often a node became unreachable.',
    tally.unreachable,
  );
  yield counter(
    `${UPSTREAM}egress_ips_rebalance_total`,
    'How often an address had to leave its node.',
    tally.moved,
  );
  for (const [result, value] of tally.writes)
    yield {
      ...counter('writes_total', 'Writes to the cluster by what came of them.', value),
      labels: { result },
    };
  for (const [reason, value] of tally.unassigned)
    yield {
      ...gauge('unassigned_addresses', 'Addresses without a node, by reason.', value),
      labels: { reason },
    };
  yield counter(
    'foreign_writes_total',
    'How often somebody else changed what the publisher had written, and it was restored.',
    tally.foreign,
  );
  const differences = [...world.differing.values()].reduce((sum, { length }) => sum + length, 0);
  yield gauge(
    'shadow_differences',
    'Shadow mode: how many addresses, marks and claims would be written differently.',
    differences,
  );
  yield* world.routing.tally.readings();
  yield* writeSeconds(tally);
}

/** In the form of a Prometheus histogram: `histogram_quantile` works on it. */
function* writeSeconds({ took, timed, tookSeconds }: Tally): Generator<Reading> {
  const name = 'write_seconds';
  let below = 0;
  for (const [index, bound] of bounds.entries()) {
    below += took[index] ?? 0;
    const help = 'How many writes took at most le seconds.';
    yield { ...one('counter', `${name}_bucket`, help, below), labels: { le: String(bound) } };
  }
  const all = 'How many writes took at most le seconds.';
  yield { ...one('counter', `${name}_bucket`, all, timed), labels: { le: '+Inf' } };
  yield one('counter', `${name}_sum`, 'How long all writes took together.', tookSeconds);
  yield one('counter', `${name}_count`, 'How many writes were timed.', timed);
}
