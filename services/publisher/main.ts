/** The publisher as a process: the only one that may write to the cluster. */
import { openClock } from '../../edge/clock.ts';
import { clusterOf } from '../../edge/cluster.ts';
import { serve } from '../../edge/serve.ts';
import { publisherPerform, publisherSenses } from './doors.ts';
import { publisher } from './room.ts';

await serve('publisher', async ({ config, logger }) => {
  const cluster = await clusterOf(config, (sentence) => logger.warn(sentence));
  return {
    room: publisher(),
    doors: {
      senses: publisherSenses(cluster),
      perform: publisherPerform(cluster, openClock(), Math.random),
    },
    close: () => cluster.close(),
  };
});
