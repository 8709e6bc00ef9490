/** Durations as Go reads and writes them: `90s` is read, and written as `1m30s`. */

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** In milliseconds; undefined for what is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)];
  const sum = parts.reduce(
    (ms, [, count, unit]) => ms + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  );
  return text.startsWith('-') ? -sum : sum;
}

/** Of whole milliseconds, not negative. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1_000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = `${(ms % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
