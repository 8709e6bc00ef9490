/** The settings of a room, from its environment variables; all that is wrong is told at once. */
import { z } from 'zod';
import type { Probing } from '../core/fact.ts';
import { isServiceLink } from './config/servicelink.ts';

export type LogLevel = (typeof levels)[number];

export interface Config {
  /** The first token of all subjects and stream names. */
  readonly prefix: string;
  readonly natsUrl: string;
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
  /** TLS to the health servers, when both are given (`spec/egressip.md` 6.2); else ''. */
  readonly probeCaFile: string;
  readonly probeServerName: string;
  /** A label selector; '' = no such nodes. */
  readonly noHostSubnetNodes: string;
  /** `shadow` = the publisher writes nothing to the cluster and tells what it would write. */
  readonly mode: 'enforce' | 'shadow';
  readonly logLevel: LogLevel;
}

/** The environment does not say what is needed; the message has a line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The port of ovnkube-node's health server, and the one that the legacy probe knocks at. */
const usualPort = { off: 9107, grpc: 9107, tcp: 9 } as const;

/** A setting: what may stand in its variable, in words and as a schema that knows its default. */
const setting = <T extends z.ZodType>(allowed: string, schema: T): T => schema.describe(allowed);

const whole = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));

const milliseconds = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/)
    .transform((text) => Math.round(Number(text) * 1000))
    .pipe(
      z
        .number()
        .min(least * 1000)
        .max(most * 1000),
    );

const natsUrls = /^(nats|tls):\/\/[^\s,/]+(,(nats|tls):\/\/[^\s,/]+)*$/;

const schema = z.strictObject({
  SLUICE_PREFIX: setting(
    'small letters, digits, _ and -, 32 at most',
    z
      .string()
      .regex(/^[a-z0-9_-]{1,32}$/)
      .default('sluice'),
  ),
  NATS_URL: setting(
    'nats://host:port or tls://host:port, several separated by commas',
    z.string().regex(natsUrls).default('nats://127.0.0.1:4222'),
  ),
  KUBECONFIG: setting('the path of a file', z.string().default('')),
  SLUICE_HEALTH_PORT: setting('0 to 65535, 0 = any', whole(0, 65_535).default(8080)),
  SLUICE_PROBES: setting('off, tcp or grpc', z.enum(['off', 'tcp', 'grpc']).default('grpc')),
  SLUICE_PROBE_PORT: setting('1 to 65535', whole(1, 65_535).optional()),
  SLUICE_PROBE_TIMEOUT: setting('0 to 60 seconds, 0 = off', milliseconds(0, 60).default(1000)),
  SLUICE_PROBE_INTERVAL: setting('0.1 to 3600 seconds', milliseconds(0.1, 3600).default(5000)),
  SLUICE_PROBE_FAILURES: setting('1 to 100', whole(1, 100).default(1)),
  SLUICE_PROBE_RECOVERIES: setting('1 to 100', whole(1, 100).default(1)),
  SLUICE_PROBE_CA_FILE: setting('the path of a file', z.string().default('')),
  SLUICE_PROBE_SERVER_NAME: setting('the name in the certificate', z.string().default('')),
  SLUICE_NO_HOSTSUBNET_NODES: setting('a label selector', z.string().trim().default('')),
  SLUICE_MODE: setting('enforce or shadow', z.enum(['enforce', 'shadow']).default('enforce')),
  SLUICE_LOG_LEVEL: setting(levels.join(', '), z.enum(levels).default('info')),
});

type Settings = z.output<typeof schema>;

/**
 * The settings, with upstream's defaults. An empty variable counts as absent: that is how a chart
 * leaves one out.
 * @throws ConfigError naming each variable, its value and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value && isSetting(name, value)),
  );
  const read = schema.safeParse(given);
  const problems = read.success
    ? oddities(read.data)
    : read.error.issues.flatMap((issue) => describe(issue, given));
  if (read.success && problems.length === 0) return configOf(read.data);
  throw new ConfigError(['the settings are not usable:', ...new Set(problems)].join('\n  '));
}

const isSetting = (name: string, value: string): boolean =>
  Object.hasOwn(schema.shape, name) || (name.startsWith('SLUICE_') && !isServiceLink(name, value));

function describe(issue: z.core.$ZodIssue, given: Record<string, unknown>): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => `${name} is no setting of Sluice`);
  }
  const name = String(issue.path[0]) as keyof Settings;
  const value = JSON.stringify(given[name]).replace(/\/\/.*@/, '//…@');
  return [`${name} is ${value}, allowed: ${schema.shape[name].description}`];
}

/** What only shows when settings are looked at together. */
function oddities(settings: Settings): string[] {
  const { SLUICE_PROBE_CA_FILE: caFile, SLUICE_PROBE_SERVER_NAME: serverName } = settings;
  if ((caFile === '') === (serverName === '')) return [];
  const [given, missing] = caFile === '' ? ['SERVER_NAME', 'CA_FILE'] : ['CA_FILE', 'SERVER_NAME'];
  return [`SLUICE_PROBE_${given} needs SLUICE_PROBE_${missing}: TLS takes both`];
}

function configOf(settings: Settings): Config {
  const deadlineMs = settings.SLUICE_PROBE_TIMEOUT;
  const probes = deadlineMs === 0 ? 'off' : settings.SLUICE_PROBES;
  return {
    prefix: settings.SLUICE_PREFIX,
    natsUrl: settings.NATS_URL,
    kubeconfig: settings.KUBECONFIG,
    healthPort: settings.SLUICE_HEALTH_PORT,
    probes,
    probePort: settings.SLUICE_PROBE_PORT ?? usualPort[probes],
    probeDeadlineMs: deadlineMs,
    probeIntervalMs: settings.SLUICE_PROBE_INTERVAL,
    probeFailures: settings.SLUICE_PROBE_FAILURES,
    probeRecoveries: settings.SLUICE_PROBE_RECOVERIES,
    probeCaFile: settings.SLUICE_PROBE_CA_FILE,
    probeServerName: settings.SLUICE_PROBE_SERVER_NAME,
    noHostSubnetNodes: settings.SLUICE_NO_HOSTSUBNET_NODES,
    mode: settings.SLUICE_MODE,
    logLevel: settings.SLUICE_LOG_LEVEL,
  };
}
