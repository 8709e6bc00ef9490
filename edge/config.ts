/** The settings of a room, from its environment variables; all that is wrong is told at once. */
import type { Probing } from '../core/fact.ts';
import { environment } from './config/schema.ts';
import type { Environment, Issue, levels } from './config/schema.ts';
import { isServiceLink } from './config/servicelink.ts';

export type LogLevel = (typeof levels)[number];

export interface Config {
  /** The first token of all subjects and stream names. */
  readonly prefix: string;
  /** What people call this cluster, or ''. */
  readonly clusterName: string;
  /** Shadow: nothing is written to Kubernetes, what would be is on the log. */
  readonly mode: 'enforce' | 'shadow';
  /** `AWS`, `None`, …; '' = as `Infrastructure/cluster` says. */
  readonly platformType: string;
  readonly natsUrl: string;
  /** The login at NATS; '' = none. */
  readonly natsUser: string;
  readonly natsPassword: string;
  /** The path of the authority of NATS' certificate; '' = those of the system. */
  readonly natsCaFile: string;
  /** Copies of each stream that this room makes. */
  readonly logReplicas: 1 | 3;
  /** What no other process has at the same time, or ''. */
  readonly instance: string;
  /** The ConfigMap in which the publisher marks how far the log has come, or ''. */
  readonly logRecord: string;
  /** Whether the room makes streams that are missing, or waits for somebody who may. */
  readonly logStreams: 'make' | 'wait';
  /** The path of a kubeconfig; '' = the ServiceAccount of the pod, or the usual places. */
  readonly kubeconfig: string;
  /** 0 = any free port. */
  readonly healthPort: number;
  readonly probes: Probing;
  readonly probePort: number;
  /** 0 = off, as upstream's egressip-reachability-total-timeout; then `probes` is 'off', too. */
  readonly probeDeadlineMs: number;
  readonly probeIntervalMs: number;
  /** How many failed probes in a row make a node unreachable, how many good ones reachable. */
  readonly probeFailures: number;
  readonly probeRecoveries: number;
  /** When more of the probed nodes than this fail together, the prober is at fault; in percent. */
  readonly probeIsolationShare: number;
  /** The path of a file with settings of the probes that hold while it is there, or ''. */
  readonly probeSettings: string;
  /** TLS to the health servers, when both are given (`spec/egressip.md` 6.2); else ''. */
  readonly probeCaFile: string;
  readonly probeServerName: string;
  /** How many BGP peers the account's quota allows on one Route Server endpoint. */
  readonly awsPeersPerEndpoint: number;
  /** What drains a node besides its annotation: `cordon`, and keys of taints. */
  readonly drainOn: readonly string[];
  /** A label selector; '' = no such nodes. */
  readonly noHostSubnetNodes: string;
  readonly logLevel: LogLevel;
}

/** The environment does not say what is needed; the message has a line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The port of ovnkube-node's health server, and the one that the legacy probe knocks at. */
const usualPort = { off: 9107, grpc: 9107, tcp: 9 } as const;

/**
 * The settings, with upstream's defaults. An empty variable counts as absent: that is how a chart
 * leaves one out.
 * @throws ConfigError naming each variable, its value and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value && isSetting(name, value)),
  );
  const read = environment.safeParse(given);
  const problems = read.success
    ? oddities(read.data)
    : read.error.issues.flatMap((issue) => describe(issue, given));
  if (read.success && problems.length === 0) return configOf(read.data);
  throw new ConfigError(['the settings are not usable:', ...new Set(problems)].join('\n  '));
}

const isSetting = (name: string, value: string): boolean =>
  Object.hasOwn(environment.shape, name) ||
  (name.startsWith('SLUICE_') && !isServiceLink(name, value));

function describe(issue: Issue, given: Record<string, unknown>): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => `${name} is no setting of Sluice`);
  }
  const name = String(issue.path[0]) as keyof Environment;
  const value = JSON.stringify(given[name]).replace(/\/\/.*@/, '//…@');
  return [`${name} is ${value}, allowed: ${environment.shape[name].description}`];
}

/** What only shows when settings are looked at together. */
function oddities(settings: Environment): string[] {
  const { SLUICE_PROBE_CA_FILE: caFile, SLUICE_PROBE_SERVER_NAME: serverName } = settings;
  if ((caFile === '') === (serverName === '')) return [];
  const [given, missing] = caFile === '' ? ['SERVER_NAME', 'CA_FILE'] : ['CA_FILE', 'SERVER_NAME'];
  return [`SLUICE_PROBE_${given} needs SLUICE_PROBE_${missing}: TLS takes both`];
}

function configOf(settings: Environment): Config {
  const deadlineMs = settings.SLUICE_PROBE_TIMEOUT;
  const probes = deadlineMs === 0 ? 'off' : settings.SLUICE_PROBES;
  return {
    prefix: settings.SLUICE_PREFIX,
    clusterName: settings.SLUICE_CLUSTER_NAME,
    mode: settings.SLUICE_MODE,
    platformType: settings.SLUICE_PLATFORM_TYPE,
    natsUrl: settings.NATS_URL,
    natsUser: settings.NATS_USER,
    natsPassword: settings.NATS_PASSWORD,
    natsCaFile: settings.NATS_CA,
    logReplicas: settings.SLUICE_LOG_REPLICAS,
    instance: settings.SLUICE_INSTANCE,
    logRecord: settings.SLUICE_LOG_RECORD,
    logStreams: settings.SLUICE_LOG_STREAMS,
    kubeconfig: settings.KUBECONFIG,
    healthPort: settings.SLUICE_HEALTH_PORT,
    probes,
    probePort: settings.SLUICE_PROBE_PORT ?? usualPort[probes],
    probeDeadlineMs: deadlineMs,
    probeIntervalMs: settings.SLUICE_PROBE_INTERVAL,
    probeFailures: settings.SLUICE_PROBE_FAILURES,
    probeRecoveries: settings.SLUICE_PROBE_RECOVERIES,
    probeIsolationShare: settings.SLUICE_PROBE_ISOLATION_SHARE,
    probeSettings: settings.SLUICE_PROBE_SETTINGS,
    probeCaFile: settings.SLUICE_PROBE_CA_FILE,
    probeServerName: settings.SLUICE_PROBE_SERVER_NAME,
    awsPeersPerEndpoint: settings.SLUICE_AWS_PEERS_PER_ENDPOINT,
    drainOn: settings.SLUICE_DRAIN_ON,
    noHostSubnetNodes: settings.SLUICE_NO_HOSTSUBNET_NODES,
    logLevel: settings.SLUICE_LOG_LEVEL,
  };
}
