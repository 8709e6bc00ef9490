/** `sluice history`: the life of one object, a sentence a line, each with what led to it. */
import type { Cause, Heard } from '../core/event.ts';
import { speakers } from '../core/event.ts';
import type { Settings } from '../services/assigner/input.ts';
import { exit } from './failure.ts';
import { historyAt } from './history-at.ts';
import { subjectsOf, type Target, unknown } from './history-target.ts';
import { dayOf, lifeLines, recordOf } from './history-text.ts';
import { readToEnd, type Readable } from './read.ts';
import { eventsOf } from './tail.ts';
import type { Terminal } from './terminal.ts';

export interface HistoryAsk {
  readonly target: Target;
  /** In milliseconds since 1970; undefined = from its beginning, as far as the log goes back. */
  readonly sinceMs: number | undefined;
  /** The world as it was then; undefined = the whole life. */
  readonly atMs: number | undefined;
  readonly output: 'text' | 'json';
  readonly settings: Settings;
}

/** Exit code 0. Throws Failure 1 when nothing was ever said of the object. */
export async function history(log: Readable, ask: HistoryAsk, terminal: Terminal): Promise<number> {
  if (ask.atMs !== undefined) return historyAt(log, ask, ask.atMs, terminal);
  const life = await lifeOf(log, ask.target, terminal.signal);
  if (life.length === 0) throw await unknown(log, ask.target, terminal.signal);
  const shown = life.filter(({ atMs }) => atMs >= (ask.sinceMs ?? 0));
  const causes = await causesOf(log, shown, life, terminal.signal);
  let day = '';
  for (const heard of shown) {
    if (ask.output === 'json') terminal.out(`${JSON.stringify(recordOf(heard, causes))}\n`);
    else terminal.out(lifeLines(heard, causes, day, terminal));
    day = dayOf(heard.atMs);
  }
  return exit.fine;
}

/** Everything that was said of it, in order of time. */
async function lifeOf(
  log: Readable,
  target: Target,
  signal: AbortSignal,
): Promise<readonly Heard[]> {
  const life: Heard[] = [];
  for (const filter of subjectsOf(target)) {
    const extent = { streams: speakers, filter, sinceMs: undefined, follow: false };
    for await (const heard of eventsOf(log, extent, signal)) life.push(heard);
  }
  const rank = ({ stream }: Heard): number => speakers.indexOf(stream);
  return life.sort((a, b) => a.atMs - b.atMs || rank(a) - rank(b) || a.sequence - b.sequence);
}

export const keyOf = ({ stream, sequence }: Cause): string => `${stream} ${sequence}`;

/** A cause that was overtaken since stands so long before its effect at most. */
const BEFORE_MS = 600_000;

/** The events that led to these, as far as the log still has them: one look through the history. */
async function causesOf(
  log: Readable,
  effects: readonly Heard[],
  known: readonly Heard[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Heard>> {
  const found = new Map(known.map((heard) => [keyOf(heard), heard]));
  const missing = new Set(effects.flatMap(({ causes }) => causes.map(keyOf)));
  for (const key of found.keys()) missing.delete(key);
  const firstMs = effects.find(({ causes }) => causes.some((cause) => missing.has(keyOf(cause))));
  if (firstMs === undefined) return found;
  const sinceMs = Math.max(0, firstMs.atMs - BEFORE_MS);
  const extent = { streams: speakers, filter: undefined, sinceMs, follow: false };
  for await (const heard of eventsOf(log, extent, signal)) {
    if (missing.delete(keyOf(heard))) found.set(keyOf(heard), heard);
    if (missing.size === 0) break;
  }
  if (missing.size === 0) return found;
  // A cause may be far older than its effect: a node that has been as it is for days.
  const last = { streams: speakers, from: 'last-per-subject' } as const;
  for await (const heard of readToEnd(log, last, signal))
    if (missing.delete(keyOf(heard))) found.set(keyOf(heard), heard);
  return found;
}
