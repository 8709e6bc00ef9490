/** At any time: no address on two nodes or in two statuses, as far as our writes go. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import { readEgressIP } from '../truth.ts';
import { added, isRoom, recently } from './writes.ts';

const name = 'anytime-address-once';

export const addressOnce = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (change.collection !== EGRESSIPS || change.type === 'DELETED' || !isRoom(change.by)) return;
    const own = readEgressIP(change.object);
    const twice = own.items.find(
      ({ egressIP }, at) => own.items.findIndex((one) => one.egressIP === egressIP) !== at,
    );
    if (twice !== undefined) world.fail(name, `${own.name} has ${twice.egressIP} twice`);
    for (const { egressIP } of added(change)) {
      if (recently(world, egressIP) || recently(world, own.name)) continue;
      for (const object of world.server.list(EGRESSIPS)) {
        const other = readEgressIP(object);
        if (other.name === own.name || recently(world, other.name)) continue;
        if (other.items.some((item) => item.egressIP === egressIP))
          world.fail(name, `${egressIP} enters ${own.name} while ${other.name} has it`);
      }
    }
  },
});
