/** At any time: each cause of an event stands on the log, before it. */
import type { Checker } from '../checker.ts';

const name = 'anytime-causes-known';

export const causesKnown = (): Checker => ({
  name,
  onAppend: (world, { heard }) => {
    if (world.log.losses > 0) return;
    for (const { stream, sequence } of heard.causes) {
      const cause = world.log.at(stream, sequence);
      if (cause === undefined)
        world.fail(name, `${heard.stream} ${heard.sequence} ← ${stream} ${sequence} is not there`);
    }
  },
});
