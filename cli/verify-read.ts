/** The whole log for a replay: the history, what it does not have yet, and what stood before it. */
import { type Heard, type Speaker, speakers } from '../core/event.ts';
import { topicOf } from '../core/subject.ts';
import { readToEnd, type Readable } from './read.ts';

export interface Listener {
  /** The last events of their subjects before the beginning. */
  begin(heard: Heard): void;
  /** Everything since, the events of each speaker in order. */
  hear(heard: Heard): void;
}

/** The history keeps 30 days, the speakers the last words of all subjects for ever. */
export async function readAll(
  log: Readable,
  sinceMs: number | undefined,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const since = sinceMs === undefined ? {} : { sinceMs };
  const past = { streams: ['history'], from: 'all', ...since } as const;
  const first = await firstOf(log, past, signal);
  if (first.values().some((sequence) => sequence > 1))
    for (const heard of await before(log, first, sinceMs, signal)) listener.begin(heard);
  for await (const heard of readToEnd(log, past, signal)) listener.hear(heard);
  const present = { streams: speakers, from: 'all', ...since } as const;
  for await (const heard of readToEnd(log, present, signal)) listener.hear(heard);
}

type Past = Parameters<typeof readToEnd>[1];

/** Where the history begins of each speaker. */
async function firstOf(
  log: Readable,
  past: Past,
  signal: AbortSignal,
): Promise<ReadonlyMap<Speaker, number>> {
  const first = new Map<Speaker, number>();
  for await (const { stream, sequence } of readToEnd(log, past, signal)) {
    if (!first.has(stream)) first.set(stream, sequence);
    if (first.size === speakers.length) break;
  }
  return first;
}

async function before(
  log: Readable,
  first: ReadonlyMap<Speaker, number>,
  sinceMs: number | undefined,
  signal: AbortSignal,
): Promise<readonly Heard[]> {
  const last = new Map<string, Heard>();
  const isBefore = ({ stream, sequence, atMs }: Heard): boolean =>
    sequence < (first.get(stream) ?? 0) || (!first.has(stream) && atMs < (sinceMs ?? 0));
  // With a beginning that was asked for, the history may know more of what was before it.
  const streams = sinceMs === undefined ? speakers : (['history', ...speakers] as const);
  for (const stream of streams)
    for await (const heard of readToEnd(log, { streams: [stream], from: 'all' }, signal)) {
      if (!isBefore(heard)) continue;
      const { kind, name } = topicOf(heard.event);
      const key = `${heard.stream} ${kind} ${name}`;
      if ((last.get(key)?.sequence ?? 0) < heard.sequence) last.set(key, heard);
    }
  return [...last.values()].sort((a, b) => a.sequence - b.sequence);
}
