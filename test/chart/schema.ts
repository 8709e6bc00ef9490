/**
 * The chart's values as a JSON schema: the rooms' settings as the rooms read them, and the rest.
 */
import { jsonSchemas } from '../../edge/config/schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the chart itself gives to the rooms; a value for it would be contradicted. */
const owned = new Set([
  'NATS_URL',
  'NATS_USER',
  'NATS_PASSWORD',
  'NATS_CA',
  'KUBECONFIG',
  'SLUICE_HEALTH_PORT',
  'SLUICE_INSTANCE',
  'SLUICE_LOG_RECORD',
  'SLUICE_LOG_REPLICAS',
  'SLUICE_LOG_STREAMS',
  'SLUICE_PROBE_SETTINGS',
  'SLUICE_PROBE_CA_FILE',
]);

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const free: Schema = { type: 'object' };
const list: Schema = { type: 'array' };
const texts: Schema = { type: 'array', items: text };
const texted: Schema = { type: 'object', additionalProperties: text };
const size: Schema = { type: 'string', pattern: String.raw`^\d+(\.\d+)?[KMGT]i?B?$` };
const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values });
const matching = (pattern: string): Schema => ({ type: 'string', pattern });

/** An object with these properties and no others: a typing error is told, not ignored. */
const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const image = closed({
  repository: { type: 'string', minLength: 1 },
  tag: text,
  digest: matching('^(sha256:[0-9a-f]{64})?$'),
  pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
});
/** More than two replicas would only stand by for longer. */
const room = { replicas: oneOf(1, 2), resources: free, env: list };

/** The settings of the rooms; numbers may be written as numbers. */
function config(): Schema {
  const { properties } = jsonSchemas().environment as { properties: Record<string, Schema> };
  const settings = Object.entries(properties).filter(([key]) => !owned.has(key));
  const loosened = settings.map(([key, { default: usual, ...schema }]) => {
    const numeric = schema['minimum'] !== undefined;
    const type = numeric ? { type: ['string', 'number'] } : {};
    return [key, { ...schema, ...type, ...(usual !== undefined && { default: usual }) }] as const;
  });
  return closed(Object.fromEntries(loosened));
}

function probeSettings(): Schema {
  const { $schema: _, ...schema } = jsonSchemas().probeFile as Record<string, unknown>;
  return schema;
}

const nats = closed({
  enabled: flag,
  url: matching(String.raw`^((nats|tls)://[^\s,/]+(,(nats|tls)://[^\s,/]+)*)?$`),
  externalReplicas: oneOf(1, 3),
  externalCaSecret: text,
  replicas: oneOf(1, 3),
  image,
  clusterDomain: text,
  storage: closed({ size, maxFileStore: size, className: text }),
  tls: closed({ existingSecret: text }),
  createCredentials: flag,
  resources: free,
  goMemoryLimit: size,
});

const networkPolicies = closed({
  enabled: flag,
  apiServerCidrs: texts,
  apiServerPorts: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } },
  nodeCidrs: texts,
  monitoringNamespaces: free,
});

/** The whole of `values.schema.json`. */
export function valuesSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart sluice',
    ...closed({
      fullnameOverride: { type: 'string', pattern: '^([a-z]([a-z0-9-]{0,38}[a-z0-9])?)?$' },
      image: closed({ ...(image['properties'] as Record<string, Schema>), pullSecrets: list }),
      config: config(),
      probeSettings: probeSettings(),
      watcher: closed({ ...room, probeCaSecret: text }),
      assigner: closed(room),
      publisher: closed(room),
      bgp: closed({ ...room, enabled: flag, createFrrNamespace: flag }),
      awsSync: closed({
        ...room,
        enabled: flag,
        roleArn: matching(String.raw`^(arn:aws[a-z-]*:iam::\d{12}:role/\S+)?$`),
        audience: text,
      }),
      nats,
      crds: closed({ managed: oneOf('none', 'own', 'all') }),
      markPolicy: closed({ enabled: flag }),
      networkPolicies,
      serviceMonitor: closed({
        enabled: flag,
        interval: matching(String.raw`^\d+(s|m)$`),
        labels: texted,
      }),
      prometheusRule: closed({
        enabled: flag,
        labels: texted,
        disabled: texts,
        runbookUrl: { type: 'string', minLength: 1 },
      }),
      dashboard: closed({ enabled: flag, labels: texted }),
      podLabels: texted,
      podAnnotations: texted,
      nodeSelector: texted,
      tolerations: list,
      affinity: free,
      priorityClassName: text,
      runAsUser: { type: ['integer', 'null'], minimum: 1 },
      // Helm gives these to every chart that is part of another one.
      global: free,
    }),
  };
}
