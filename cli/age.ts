/** Spans of time as kubectl writes and reads them: `12s`, `4m`, `3d`, `1h30m`. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };

/** `HumanDuration` of apimachinery: two units only where one alone would be coarse. */
export function age(ms: number): string {
  if (ms < second) return '0s';
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return pair(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return pair(ms, hour, 'h', minute, 'm');
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return pair(ms, day, 'd', hour, 'h');
  if (ms < 2 * 365 * day) return `${Math.floor(ms / day)}d`;
  return pair(ms, 365 * day, 'y', day, 'd');
}

function pair(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}

/** Milliseconds of `90s`, `1h30m`, `2d`; undefined for anything else. */
export function parseSpan(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    sum += Number(number) * (units[unit ?? ''] ?? 0);
  return sum;
}

/**
 * The moment that `--since` means, in milliseconds since 1970: a span before `nowMs`, or a time as
 * RFC 3339 writes it. Undefined where it is neither.
 */
export function parseSince(text: string, nowMs: number): number | undefined {
  const span = parseSpan(text);
  if (span !== undefined) return Math.max(0, nowMs - span);
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    return undefined;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? text
    : `${text}${text.includes(':') ? 'Z' : ''}`;
  const ms = Date.parse(zoned.replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : ms;
}

/** `10:14:20` today, else `2026-11-29 10:14:20`; UTC, as in the tail. */
export function moment(atMs: number, nowMs: number): string {
  const [date, time] = new Date(atMs).toISOString().slice(0, 19).split('T');
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return date === today ? `${time}` : `${date} ${time}`;
}
