/**
 * At any time: what the assigner has said so far is a legal state; so is each beginning of a turn.
 */
import type { Checker } from '../checker.ts';

const name = 'anytime-decisions-legal';

export const decisionsLegal = (): Checker => ({
  name,
  onAppend: (world, { heard }) => {
    if (heard.stream !== 'assigner') return;
    const owners = new Map<string, string>();
    for (const { event } of world.log.lasts('assigner')) {
      if (event.kind !== 'EgressIPDecided') continue;
      const nodes = event.placements.map(({ node }) => node);
      if (new Set(nodes).size < nodes.length)
        world.fail(name, `${event.name} is decided on ${nodes.join()}`);
      for (const { address } of event.placements) {
        const other = owners.get(address);
        if (other !== undefined) world.fail(name, `${address} is ${other}'s and ${event.name}'s`);
        owners.set(address, event.name);
      }
    }
  },
});
