/** At any time: a mark is in range, one object's alone, its for life, and there before any item. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import { readEgressIP } from '../truth.ts';
import { isRoom, recently } from './writes.ts';

const name = 'anytime-mark-for-life';

export const markForLife = (): Checker => ({
  name,
  onChange: (world, { collection, type, by, before, object }) => {
    if (collection !== EGRESSIPS || type === 'DELETED' || !isRoom(by)) return;
    const own = readEgressIP(object);
    const had = before === undefined ? '' : readEgressIP(before).mark;
    if (had !== '' && own.mark !== had)
      world.fail(name, `${own.name} had ${had}, and now ${own.mark}`);
    if (own.items.length > 0 && own.mark === '' && !recently(world, own.name))
      world.fail(name, `${own.name} has items and no mark`);
    if (own.mark === '' || own.mark === had) return;
    const mark = Number(own.mark);
    if (!(mark >= 50_000 && mark <= 55_000)) world.fail(name, `${own.name} got ${own.mark}`);
    for (const one of world.server.list(EGRESSIPS)) {
      const other = readEgressIP(one);
      if (other.name !== own.name && other.mark === own.mark)
        world.fail(name, `${own.name} and ${other.name} have ${own.mark}`);
    }
  },
});
