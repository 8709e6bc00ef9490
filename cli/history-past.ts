/** The log as it was at some moment: what was said later is not there. */
import { type Speaker, speakers } from '../core/event.ts';
import type { Read, ReadOptions } from '../edge/nats/read.ts';
import type { Readable } from './read.ts';
import { eventsOf } from './tail.ts';

/** Clocks of writers may differ by so much. */
const SKEW_MS = 60_000;

/** Reads only, does not follow. `atMs` in milliseconds since 1970. */
export function pastOf(log: Readable, atMs: number): Readable {
  return {
    read: (options, signal) =>
      options.from === 'last-per-subject' && options.sinceMs === undefined
        ? lastOf(said(log, options, atMs, signal))
        : said(log, options, atMs, signal),
  };
}

/** In order of time, up to that moment. */
async function* said(
  log: Readable,
  { streams, filter, sinceMs }: ReadOptions,
  atMs: number,
  signal: AbortSignal,
): AsyncGenerator<Read> {
  const wanted: readonly Speaker[] = streams.includes('history')
    ? speakers
    : speakers.filter((speaker) => streams.includes(speaker));
  const extent = { streams: wanted, filter, sinceMs, follow: false };
  for await (const read of eventsOf(log, extent, signal)) {
    if (read.atMs > atMs + SKEW_MS) return;
    if (read.atMs <= atMs && wanted.includes(read.stream)) yield read;
  }
}

async function* lastOf(reads: AsyncIterable<Read>): AsyncGenerator<Read> {
  const last = new Map<string, Read>();
  for await (const read of reads) {
    const known = last.get(read.subject);
    if (known === undefined || known.sequence < read.sequence) last.set(read.subject, read);
  }
  yield* [...last.values()].sort((a, b) => a.atMs - b.atMs);
}
