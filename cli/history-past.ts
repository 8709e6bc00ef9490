/** The log as it was at some moment: what was said later is not there. */
import { type Speaker, speakers } from '../core/event.ts';
import type { Read, ReadOptions } from '../edge/nats/read.ts';
import type { Readable } from './read.ts';
import { eventsOf } from './tail.ts';

/** Clocks of writers may differ by so much. */
const SKEW_MS = 60_000;

export interface Past extends Readable {
  /** The last event of each subject, in order of time. */
  readonly last: readonly Read[];
}

/** The log up to `atMs`, in milliseconds since 1970, for commands that read and do not follow. */
export async function pastOf(log: Readable, atMs: number, signal: AbortSignal): Promise<Past> {
  const everything = { streams: speakers, from: 'all', follow: false } as const;
  const subjects = new Map<string, Read>();
  for await (const read of saidUntil(log, everything, atMs, signal)) {
    const known = subjects.get(read.subject);
    if (known === undefined || known.sequence < read.sequence) subjects.set(read.subject, read);
  }
  const last = [...subjects.values()].sort((a, b) => a.atMs - b.atMs);
  return {
    last,
    read: (options, until) =>
      options.from === 'last-per-subject' && options.filter === undefined
        ? some(last, speakersOf(options))
        : saidUntil(log, options, atMs, until),
  };
}

const speakersOf = ({ streams }: ReadOptions): readonly Speaker[] =>
  streams.includes('history') ? speakers : speakers.filter((one) => streams.includes(one));

async function* some(reads: readonly Read[], streams: readonly Speaker[]): AsyncGenerator<Read> {
  for (const read of reads) if (streams.includes(read.stream)) yield read;
}

/** In order of time. */
async function* saidUntil(
  log: Readable,
  options: ReadOptions,
  atMs: number,
  signal: AbortSignal,
): AsyncGenerator<Read> {
  const streams = speakersOf(options);
  const { filter, sinceMs } = options;
  for await (const read of eventsOf(log, { streams, filter, sinceMs, follow: false }, signal)) {
    if (read.atMs > atMs + SKEW_MS) return;
    if (read.atMs <= atMs && streams.includes(read.stream)) yield read;
  }
}
