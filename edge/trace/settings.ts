/** The standard variables of OpenTelemetry, as far as traces by OTLP over HTTP need them. */

export interface TraceSettings {
  /** Where spans go: the whole URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
  /** The share of new traces that are kept, 0 to 1. */
  readonly ratio: number;
  /** Whether the choice of whoever began a trace holds. */
  readonly followsParent: boolean;
  readonly timeoutMs: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined unless an endpoint is named: then nothing is traced, and nothing is loaded. */
export function traceSettings(env: Env, room: string): TraceSettings | undefined {
  const url = urlOf(env);
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
  if (url === '' || isOff || env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  const resource = pairsOf(env['OTEL_RESOURCE_ATTRIBUTES']);
  const name = env['OTEL_SERVICE_NAME'] || resource['service.name'] || `sluice-${room}`;
  const sampler = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  return {
    url,
    headers: pairsOf(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS']),
    resource: { ...resource, 'service.name': name },
    ratio: ratioOf(sampler, env['OTEL_TRACES_SAMPLER_ARG']),
    followsParent: sampler.startsWith('parentbased_'),
    timeoutMs: Number(env['OTEL_EXPORTER_OTLP_TIMEOUT']) || 10_000,
  };
}

/** The endpoint of traces is taken as it is; to the general one the path is added. */
function urlOf(env: Env): string {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const general = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (own) return own;
  return general ? `${general.replace(/\/$/, '')}/v1/traces` : '';
}

/** `key=value,key=value`, percent-encoded (W3C Baggage). */
function pairsOf(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ratioOf(sampler: string, argument = ''): number {
  if (sampler.endsWith('always_off')) return 0;
  if (!sampler.endsWith('traceidratio')) return 1;
  const ratio = Number(argument || 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
