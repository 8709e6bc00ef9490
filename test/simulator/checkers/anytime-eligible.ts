/** At any time: an address enters a status only on a node that was good for it not long ago. */
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import type { Change } from '../api-server.ts';
import type { Simulation } from '../simulation.ts';
import { type Item, mayHost, pastOf, readEgressIP, readNode } from '../truth.ts';
import { windowMs } from '../window.ts';
import { added, isRoom } from './writes.ts';

const name = 'anytime-eligible';

export const eligible = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (change.collection !== EGRESSIPS || change.type === 'DELETED' || !isRoom(change.by)) return;
    for (const item of added(change))
      if (!wasGood(world, change, item))
        world.fail(name, `${item.egressIP} of ${change.object.metadata.name} on ${item.node}`);
  },
});

function wasGood(world: Simulation, { object }: Change, { egressIP, node }: Item): boolean {
  const sinceMs = world.scheduler.nowMs - windowMs(world.plan);
  const { history } = world.server;
  const specs = pastOf(history, EGRESSIPS, object.metadata.name, sinceMs).flatMap((was) =>
    was.object === undefined ? [] : [readEgressIP(was.object)],
  );
  const nodes = pastOf(history, NODES, node, sinceMs).flatMap((was) =>
    was.object === undefined ? [] : [readNode(was.object, world.shape.cloud)],
  );
  return specs.some((wants) => nodes.some((host) => mayHost(host, wants, egressIP)));
}
