/** Spans and where they belong (W3C Trace Context), as OTLP writes them in JSON. */
import { randomBytes } from 'node:crypto';

/** `00-<trace>-<span>-<flags>`, or ''. */
export type Traceparent = string;

export interface Context {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

export interface Span extends Context {
  readonly name: string;
  readonly kind: 'internal' | 'producer' | 'client';
  readonly parent: Context | undefined;
  readonly links: readonly Context[];
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why it failed, or ''. */
  readonly error: string;
}

const kinds = { internal: 1, producer: 4, client: 3 } as const;

export function contextOf(traceparent: Traceparent): Context | undefined {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent);
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, sampled }: Context): Traceparent =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** A context below `parent`, or of a new trace, which is kept with the probability `ratio`. */
export function below(parent: Context | undefined, ratio: number, follows: boolean): Context {
  const spanId = randomBytes(8).toString('hex');
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  if (parent !== undefined && follows) return { traceId, spanId, sampled: parent.sampled };
  // The same in each process, as the specification of TraceIdRatioBased wants it.
  const share = Number.parseInt(traceId.slice(-8), 16) / 2 ** 32;
  return { traceId, spanId, sampled: share < ratio };
}

/** One request's worth of spans (OTLP 1.x, `ExportTraceServiceRequest`). */
export function exportOf(
  resource: Readonly<Record<string, string>>,
  spans: readonly Span[],
): object {
  const scopeSpans = [{ scope: { name: 'sluice' }, spans: spans.map(otlpOf) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

function otlpOf(span: Span): object {
  const { traceId, spanId, name, parent, links, startMs, endMs, error } = span;
  return {
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(endMs),
    attributes: attributesOf(span.attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    status: error === '' ? {} : { code: 2, message: error },
  };
}

const nanosOf = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

const attributesOf = (given: Readonly<Record<string, string | number>>): object[] =>
  Object.entries(given).map(([key, value]) => {
    return { key, value: typeof value === 'string' ? { stringValue: value } : intOf(value) };
  });

const intOf = (value: number): object => ({ intValue: String(Math.round(value)) });
