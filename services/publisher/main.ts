/** The publisher as a process: the only one that may write to the cluster. */
import { openClock } from '../../edge/clock.ts';
import { clusterOf } from '../../edge/cluster.ts';
import { LogRecord } from '../../edge/record.ts';
import { serve } from '../../edge/serve.ts';
import { openStanding } from '../../edge/standing.ts';
import { publisherPerform, publisherSenses } from './doors.ts';
import type { Act } from './input.ts';
import { publisher } from './room.ts';

await serve('publisher', async ({ config, logger, signal, mayWrite, trace }) => {
  const answers = async (within: AbortSignal): Promise<boolean> =>
    (await cluster.get('/readyz', within)).status === 200;
  const standing = openStanding('the Kubernetes API', answers, logger, signal);
  const cluster = await clusterOf(config, (sentence) => standing.trouble(sentence), mayWrite);
  const clock = openClock();
  // In shadow mode nothing is written, so no write can rest on an older copy of the log.
  const name = config.mode === 'shadow' ? '' : config.logRecord;
  const record = new LogRecord(name, cluster, logger);
  const perform = publisherPerform(
    record.watching(trace?.watching(cluster) ?? cluster),
    clock,
    Math.random,
  );
  return {
    room: publisher({ mode: config.mode, quietMs: 500 }),
    doors: {
      paceMs: 50,
      senses: publisherSenses(cluster, clock),
      perform: async (act: Act, within: AbortSignal) => {
        const done = await perform(act, within);
        if (done.kind === 'Done' && done.result === 'failed')
          standing.suspect(`cannot write ${done.act.name}: ${done.message}`);
        return done;
      },
    },
    begin: (log, within) => record.check(log, within),
    last: () => record.close(),
    checks: () => [standing.check()],
    close: () => cluster.close(),
  };
});
