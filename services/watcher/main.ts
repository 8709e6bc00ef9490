/** The watcher as a process: it reads the cluster and probes nodes. */
import { readSelector } from '../../core/selector.ts';
import { openClock } from '../../edge/clock.ts';
import { clusterOf } from '../../edge/cluster.ts';
import type { Config } from '../../edge/config.ts';
import { type ProbeSettings, probeSettings } from '../../edge/config/probefile.ts';
import { openProber } from '../../edge/probe.ts';
import { serve } from '../../edge/serve.ts';
import { openStanding } from '../../edge/standing.ts';
import { watcherPerform, watcherSenses } from './doors.ts';
import type { Tuning } from './input.ts';
import { watcher } from './room.ts';

/** The probes of 5,000 nodes go out 250 at a time, four times a second. */
const SLOTS = 20;

await serve('watcher', async ({ config, logger, signal }) => {
  const answers = async (within: AbortSignal): Promise<boolean> =>
    (await cluster.get('/readyz', within)).status === 200;
  const standing = openStanding('the Kubernetes API', answers, logger, signal);
  const cluster = await clusterOf(config, standing.trouble);
  const { probeCaFile: caFile, probeServerName: serverName } = config;
  const prober = openProber({ tls: caFile === '' ? undefined : { caFile, serverName } });
  const tuning = tuningOf(config);
  const settings = {
    ...tuning,
    probing: config.probes,
    port: config.probePort,
    excluded: readSelector(config.noHostSubnetNodes),
    drainOn: config.drainOn,
    slots: SLOTS,
    platform: config.platformType === '' ? undefined : config.platformType,
  };
  const clock = openClock();
  const { probeSettings: path } = config;
  const complain = (sentence: string): void => logger.warn(sentence);
  const tunings = (within: AbortSignal): AsyncIterable<Tuning> =>
    probeSettings(path, tuning, clock, complain, within);
  return {
    room: watcher(settings),
    doors: {
      paceMs: 15,
      senses: watcherSenses(cluster, clock, settings, path === '' ? undefined : tunings),
      perform: watcherPerform(prober),
    },
    checks: () => [standing.check()],
    close: async () => {
      prober.close();
      await cluster.close();
    },
  };
});

function tuningOf(config: Config): ProbeSettings {
  return {
    deadlineMs: config.probeDeadlineMs,
    intervalMs: config.probeIntervalMs,
    failures: config.probeFailures,
    recoveries: config.probeRecoveries,
    isolationShare: config.probeIsolationShare,
  };
}
