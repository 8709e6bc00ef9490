/** The watcher as a process: it reads the cluster and probes nodes. */
import { readSelector } from '../../core/selector.ts';
import { openClock } from '../../edge/clock.ts';
import { clusterOf } from '../../edge/cluster.ts';
import { openProber } from '../../edge/probe.ts';
import { serve } from '../../edge/serve.ts';
import { openStanding } from '../../edge/standing.ts';
import { watcherPerform, watcherSenses } from './doors.ts';
import { watcher } from './room.ts';

await serve('watcher', async ({ config, logger, signal }) => {
  const answers = async (within: AbortSignal): Promise<boolean> =>
    (await cluster.get('/readyz', within)).status === 200;
  const standing = openStanding('the Kubernetes API', answers, logger, signal);
  const cluster = await clusterOf(config, standing.trouble);
  const { probeCaFile: caFile, probeServerName: serverName } = config;
  const prober = openProber({ tls: caFile === '' ? undefined : { caFile, serverName } });
  const settings = {
    probing: config.probes,
    port: config.probePort,
    deadlineMs: config.probeDeadlineMs,
    intervalMs: config.probeIntervalMs,
    failures: config.probeFailures,
    recoveries: config.probeRecoveries,
    excluded: readSelector(config.noHostSubnetNodes),
  };
  return {
    room: watcher(settings),
    doors: {
      senses: watcherSenses(cluster, openClock(), settings),
      perform: watcherPerform(prober),
    },
    checks: () => [standing.check()],
    close: async () => {
      prober.close();
      await cluster.close();
    },
  };
});
