/** At any time: two addresses of one EgressIP are on two nodes (`spec/egressip.md` 11.2). */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import { readEgressIP } from '../truth.ts';
import { isRoom } from './writes.ts';

const name = 'anytime-siblings-apart';

export const siblingsApart = (): Checker => ({
  name,
  onChange: (world, { collection, type, by, object }) => {
    if (collection !== EGRESSIPS || type === 'DELETED' || !isRoom(by)) return;
    const nodes = readEgressIP(object).items.map(({ node }) => node);
    if (new Set(nodes).size < nodes.length)
      world.fail(name, `${object.metadata.name} is on ${nodes.join()}`);
  },
});
