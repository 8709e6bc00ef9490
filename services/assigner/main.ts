/** The assigner as a process: it needs NATS, and no permission at all in the cluster. */
import { readSelector } from '../../core/selector.ts';
import { openClock } from '../../edge/clock.ts';
import { serve } from '../../edge/serve.ts';
import { wakePerform } from '../../edge/wake.ts';
import { assigner } from './room.ts';

await serve('assigner', async ({ config }) => ({
  room: assigner({ excluded: readSelector(config.noHostSubnetNodes) }),
  doors: { perform: wakePerform(openClock()), paceMs: 15 },
}));
