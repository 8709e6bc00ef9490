/** What may stand in each setting, in words and as a schema that knows its default. */
import { z } from 'zod';

export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const setting = <T extends z.ZodType>(allowed: string, schema: T): T => schema.describe(allowed);

const whole = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .meta({ minimum: least, maximum: most });

/** Seconds, as milliseconds. */
const seconds = (least: number, most: number): z.ZodType<number, number> =>
  z.number().min(least).max(most).transform(inMs);

const inMs = (value: number): number => Math.round(value * 1000);

const secondsText = (least: number, most: number): z.ZodType<number> =>
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/)
    .transform(Number)
    .pipe(seconds(least, most))
    .meta({ minimum: least, maximum: most });

const file = z.string().default('');
const name = (most: number): z.ZodType<string> => z.string().trim().max(most).default('');
/** Qualified names; `cordon` looks like one. */
const taintKey = '(?:[a-z0-9.-]{1,253}/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?';
const drainList = new RegExp(`^(?:${taintKey}(?:\\s*,\\s*${taintKey})*)?$`);
const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);
const natsUrls = /^(nats|tls):\/\/[^\s,/]+(,(nats|tls):\/\/[^\s,/]+)*$/;

/** The environment variables; `docs/probes.md` says why the probes' defaults are what they are. */
export const environment = z.strictObject({
  SLUICE_PREFIX: setting(
    'small letters, digits, _ and -, 32 at most',
    z
      .string()
      .regex(/^[a-z0-9_-]{1,32}$/)
      .default('sluice'),
  ),
  SLUICE_CLUSTER_NAME: setting('a name for people, 100 characters at most', name(100)),
  SLUICE_MODE: setting('enforce or shadow', z.enum(['enforce', 'shadow']).default('enforce')),
  SLUICE_PLATFORM_TYPE: setting(
    'AWS, Azure, GCP, OpenStack, None or another type, spelled as in Infrastructure/cluster',
    name(63).refine((text) => !isMisspelled(text)),
  ),
  NATS_URL: setting(
    'nats://host:port or tls://host:port, several separated by commas',
    z.string().regex(natsUrls).default('nats://127.0.0.1:4222'),
  ),
  NATS_USER: setting('the name of a user', file),
  NATS_PASSWORD: setting('a password', file),
  NATS_CA: setting('the path of a file', file),
  SLUICE_LOG_REPLICAS: setting(
    '1 or 3',
    z
      .enum(['1', '3'])
      .default('1')
      .transform((text) => (text === '3' ? 3 : 1)),
  ),
  SLUICE_INSTANCE: setting(
    'what no other process has at the same time, such as the uid of a pod',
    name(253),
  ),
  SLUICE_LOG_RECORD: setting(
    'namespace/name of a ConfigMap',
    z
      .string()
      .regex(/^([a-z0-9-]{1,63}\/[a-z0-9.-]{1,253})?$/)
      .default(''),
  ),
  SLUICE_LOG_STREAMS: setting('make or wait', z.enum(['make', 'wait']).default('make')),
  KUBECONFIG: setting('the path of a file', file),
  SLUICE_HEALTH_PORT: setting('0 to 65535, 0 = any', whole(0, 65_535).default(8080)),
  SLUICE_PROBES: setting('off, tcp or grpc', z.enum(['off', 'tcp', 'grpc']).default('grpc')),
  SLUICE_PROBE_PORT: setting('1 to 65535', whole(1, 65_535).optional()),
  SLUICE_PROBE_TIMEOUT: setting('0 to 60 seconds, 0 = off', secondsText(0, 60).default(1000)),
  SLUICE_PROBE_INTERVAL: setting('0.1 to 3600 seconds', secondsText(0.1, 3600).default(5000)),
  SLUICE_PROBE_FAILURES: setting('1 to 100', whole(1, 100).default(4)),
  SLUICE_PROBE_RECOVERIES: setting('1 to 100', whole(1, 100).default(1)),
  SLUICE_PROBE_ISOLATION_SHARE: setting('1 to 100 percent, 100 = off', whole(1, 100).default(50)),
  SLUICE_PROBE_SETTINGS: setting('the path of a file', file),
  SLUICE_PROBE_CA_FILE: setting('the path of a file', file),
  SLUICE_PROBE_SERVER_NAME: setting('the name in the certificate', file),
  SLUICE_AWS_PEERS_PER_ENDPOINT: setting('1 to 1000', whole(1, 1000).default(20)),
  SLUICE_DRAIN_ON: setting(
    'cordon and keys of taints, separated by commas',
    z
      .string()
      .trim()
      .regex(drainList)
      // `Cordon` would be a taint that no node has, which nobody who writes that means.
      .refine((text) => wordsOf(text).every((one) => one === 'cordon' || !/^cordon$/i.test(one)))
      .default('')
      .transform(wordsOf),
  ),
  SLUICE_NO_HOSTSUBNET_NODES: setting('a label selector', z.string().trim().default('')),
  SLUICE_LOG_LEVEL: setting(levels.join(', '), z.enum(levels).default('info')),
});

/** `aws` would count as bare metal, which nobody who writes that means (`spec/egressip.md` 1.6). */
function isMisspelled(platform: string): boolean {
  const names = ['AWS', 'Azure', 'GCP', 'OpenStack', 'None'];
  const meant = names.find((one) => one.toLowerCase() === platform.toLowerCase());
  return meant !== undefined && meant !== platform;
}

/** The file with the settings of the probes; what is not in it is as in the environment. */
export const probeFile = z.strictObject({
  timeout: setting('0.01 to 60 seconds', seconds(0.01, 60)).optional(),
  interval: setting('0.1 to 3600 seconds', seconds(0.1, 3600)).optional(),
  failures: setting('1 to 100', z.int().min(1).max(100)).optional(),
  recoveries: setting('1 to 100', z.int().min(1).max(100)).optional(),
  isolationShare: setting('1 to 100 percent', z.int().min(1).max(100)).optional(),
});

export type Environment = z.output<typeof environment>;
export type Issue = z.core.$ZodIssue;

/** What may be given, as JSON schemas for the chart; ranges of numbers hold for numbers only. */
export const jsonSchemas = (): { readonly environment: object; readonly probeFile: object } => ({
  environment: z.toJSONSchema(environment, { io: 'input' }),
  probeFile: z.toJSONSchema(probeFile, { io: 'input' }),
});
