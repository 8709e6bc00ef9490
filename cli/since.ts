/** The options `--since` and `--at`: a moment in the past. */
import { parseSince } from './age.ts';
import { exit, Failure } from './failure.ts';

/** In milliseconds since 1970; undefined when it was not given. Throws Failure 64. */
export function sinceOf(text: unknown, nowMs: number, option = '--since'): number | undefined {
  if (typeof text !== 'string') return undefined;
  const sinceMs = parseSince(text, nowMs);
  if (sinceMs !== undefined) return sinceMs;
  const forms = '90s, 1h30m, 2d, 2026-11-29 or 2026-11-29T10:14:00Z';
  throw new Failure(exit.usage, `${option} ${text} is no time. Allowed: ${forms}`);
}
