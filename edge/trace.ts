/** OpenTelemetry traces, where the standard variables name a collector (docs/operating.md). */
import { type TraceSettings, traceSettings } from './trace/settings.ts';
import type { Tracing } from './trace/tracing.ts';

/** Undefined, and nothing is loaded, unless there is an endpoint. */
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  room: string,
  complain: (sentence: string) => void,
): Promise<Tracing | undefined> {
  const settings: TraceSettings | undefined = traceSettings(env, room);
  if (settings === undefined) return undefined;
  const { Tracing: Made } = await import('./trace/tracing.ts');
  return new Made(settings, complain);
}
