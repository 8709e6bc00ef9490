/** At any time: nothing comes to a node of a cloud that has had no room for it for long. */
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import { pastOf, readEgressIP, readNode } from '../truth.ts';
import { windowMs } from '../window.ts';
import { added, isRoom } from './writes.ts';

const name = 'anytime-within-capacity';

export const withinCapacity = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (!world.shape.cloud || change.collection !== EGRESSIPS || !isRoom(change.by)) return;
    const sinceMs = world.scheduler.nowMs - windowMs(world.plan);
    const items = world.server.list(EGRESSIPS).flatMap((one) => readEgressIP(one).items);
    for (const { node, egressIP } of added(change)) {
      const past = pastOf(world.server.history, NODES, node, sinceMs);
      const rooms = past.map(({ object }) =>
        object === undefined ? 0 : readNode(object, true).capacity,
      );
      const load = items.filter((item) => item.node === node).length;
      if (load > Math.max(...rooms)) world.fail(name, `${egressIP} is one too many on ${node}`);
    }
  },
});
