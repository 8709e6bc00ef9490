/** `sluice tail`: what is said, as it is said, a sentence a line. */
import { type Heard, type Speaker, speakers as order } from '../core/event.ts';
import { tailLine } from '../core/line.ts';
import { topicOf } from '../core/subject.ts';
import type { Read } from '../edge/nats/read.ts';
import type { StreamOf } from '../edge/nats/stream.ts';
import { type Filter, passes, streamsOf, subjectRest } from './filter.ts';
import { isThere, readToEnd, type Readable } from './read.ts';
import { paint, type Paint, printable, type Terminal } from './terminal.ts';

export interface TailAsk {
  readonly filter: Filter;
  /** In milliseconds since 1970; undefined = only what comes. */
  readonly sinceMs: number | undefined;
  readonly follow: boolean;
  readonly output: 'text' | 'json';
}

/** Which part of the log. */
export interface Extent {
  /** Who speaks; the history is read for all. */
  readonly streams: readonly StreamOf[];
  /** What follows the speaker in the subject; undefined = whatever is spoken of. */
  readonly filter: string | undefined;
  readonly sinceMs: number | undefined;
  readonly follow: boolean;
}

/** Clocks of writers and of the server may differ by so much. */
const SKEW_MS = 60_000;

/** So many events are held back to be put in order. */
const WINDOW = 2_000;

const colours: Readonly<Record<Speaker, Paint>> = {
  watcher: paint.cyan,
  assigner: paint.green,
  bgp: paint.magenta,
  'aws-sync': paint.blue,
  publisher: paint.yellow,
};

/** Until the end of the log, or with `follow` until the terminal's signal. Exit code 0. */
export async function tail(log: Readable, ask: TailAsk, terminal: Terminal): Promise<number> {
  if (ask.follow) void noteSilence(log, terminal);
  const { filter, sinceMs, follow } = ask;
  const extent = { streams: streamsOf(filter), filter: subjectRest(filter), sinceMs, follow };
  for await (const heard of eventsOf(log, extent, terminal.signal))
    if (passes(ask.filter, heard)) terminal.out(`${lineOf(heard, ask.output, terminal)}\n`);
  return 0;
}

/** Who waits at a log that is not there should know. */
async function noteSilence(log: Readable, terminal: Terminal): Promise<void> {
  if (await isThere(log, terminal.signal)) return;
  terminal.err('sluice: no room has spoken here yet (is --prefix right?); waiting for the first\n');
}

/**
 * The past is read from the history, which follows with a lag; what it does not have yet, and all
 * that comes, from the speakers themselves.
 */
export async function* eventsOf(
  log: Readable,
  { streams, filter, sinceMs, follow }: Extent,
  signal: AbortSignal,
): AsyncGenerator<Read> {
  const filtered = filter === undefined ? {} : { filter };
  if (sinceMs === undefined && follow)
    return yield* log.read({ streams, ...filtered, from: 'new', follow }, signal);
  const start = sinceMs === undefined ? {} : { sinceMs };
  const known = new Map<Speaker, Heard>();
  const past = { streams: ['history' as const], ...filtered, ...start, from: 'all' as const };
  for await (const read of sorted(readToEnd(log, past, signal))) {
    if (read.sequence > (known.get(read.stream)?.sequence ?? 0)) known.set(read.stream, read);
    yield read;
  }
  const live = { streams, ...filtered, ...laterStart(known, streams.length, sinceMs) };
  const coming = follow
    ? log.read({ ...live, from: 'all', follow }, signal)
    : readToEnd(log, { ...live, from: 'all' }, signal);
  for await (const read of coming)
    if (read.sequence > (known.get(read.stream)?.sequence ?? 0)) yield read;
}

/** The history takes from the speakers in turns: what came of a fact may stand before it there. */
async function* sorted(reads: AsyncIterable<Read>): AsyncGenerator<Read> {
  const waiting: Read[] = [];
  for await (const read of reads) {
    waiting.push(read);
    if (waiting.length < 2 * WINDOW) continue;
    yield* waiting.sort(byTime).splice(0, WINDOW);
  }
  yield* waiting.sort(byTime);
}

/** Nothing that the history lacks was stored before the last that it has of each speaker. */
function laterStart(
  known: ReadonlyMap<Speaker, Heard>,
  speakers: number,
  sinceMs: number | undefined,
): { readonly sinceMs?: number } {
  if (known.size < speakers) return sinceMs === undefined ? {} : { sinceMs };
  const last = Math.min(...[...known.values()].map(({ atMs }) => atMs));
  return { sinceMs: Math.max(0, last - SKEW_MS) };
}

export function lineOf(heard: Heard, output: TailAsk['output'], terminal: Terminal): string {
  if (output === 'json') return JSON.stringify(recordOf(heard));
  const line = printable(tailLine(heard));
  return terminal.colours ? coloured(line, heard) : line;
}

/** One JSON object for each event, its time as RFC 3339 writes it. */
export function recordOf(heard: Heard): object {
  const { stream, sequence, atMs, said, causes, event } = heard;
  const { kind, name } = topicOf(event);
  const time = new Date(atMs).toISOString();
  const object = `${kind}/${name}`;
  return { time, stream, sequence, kind: event.kind, object, said, causes, event };
}

/** The speaker in colour, the time and the arrow to the causes dim. */
function coloured(line: string, { stream, causes }: Heard): string {
  const at = line.indexOf(stream);
  const arrow = causes.length === 0 ? line.length : line.lastIndexOf('   ← ');
  const end = at + stream.length;
  const causesPart = line.slice(arrow);
  return [
    paint.dim(line.slice(0, at)),
    colours[stream](stream),
    line.slice(end, arrow),
    causesPart === '' ? '' : paint.dim(causesPart),
  ].join('');
}

/** In one millisecond: first who sees, then who decides, then who writes. */
function byTime(a: Heard, b: Heard): number {
  return (
    a.atMs - b.atMs || order.indexOf(a.stream) - order.indexOf(b.stream) || a.sequence - b.sequence
  );
}
