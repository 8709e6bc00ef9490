/** The room bgp as a process: it needs NATS, and no permission at all in the cluster. */
import { openClock } from '../../edge/clock.ts';
import { serve } from '../../edge/serve.ts';
import { wakePerform } from '../../edge/wake.ts';
import { bgp } from './room.ts';

await serve('bgp', async () => ({
  room: bgp(),
  doors: { perform: wakePerform(openClock()), paceMs: 15 },
}));
