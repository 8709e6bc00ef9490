/** The events that led to an event, followed through the log from effect to cause. */
import type { Cause, Heard, Speaker } from '../core/event.ts';
import { readToEnd, type Readable } from './read.ts';

export interface Link {
  readonly stream: Speaker;
  readonly sequence: number;
  /** Undefined when it is not on the log any more. */
  readonly heard: Heard | undefined;
  /** 0 for the event itself, 1 for its causes, 2 for theirs. */
  readonly depth: number;
}

/** A cause that was overtaken since stands so long before its effect at most. */
const BEFORE_MS = 600_000;
const SKEW_MS = 60_000;

/**
 * The event and what led to it, each effect before its causes, `most` causes at most. `known` are
 * events at hand; others are looked for in the history.
 */
export async function chainOf(
  log: Readable,
  start: Heard,
  known: Iterable<Heard>,
  most: number,
  signal: AbortSignal,
): Promise<readonly Link[]> {
  const events = new Map([...known].map((heard) => [keyOf(heard), heard]));
  const { stream, sequence } = start;
  const links: Link[] = [{ stream, sequence, heard: start, depth: 0 }];
  const met = new Set([keyOf(start)]);
  for (let depth = 1, level: readonly Heard[] = [start]; level.length > 0; depth++) {
    const causes = level.flatMap((heard) => heard.causes).filter((cause) => isNew(met, cause));
    const wanted = causes.slice(0, most + 1 - links.length);
    await find(log, wanted, level, events, signal);
    const found = wanted.map((cause) => ({ ...cause, heard: events.get(keyOf(cause)), depth }));
    links.push(...found);
    level = found.flatMap(({ heard }) => heard ?? []);
  }
  return links;
}

const keyOf = ({ stream, sequence }: Cause): string => `${stream} ${sequence}`;

function isNew(met: Set<string>, cause: Cause): boolean {
  if (met.has(keyOf(cause))) return false;
  met.add(keyOf(cause));
  return true;
}

/** Adds to `events` those of the `causes` that are missing and that the history still has. */
async function find(
  log: Readable,
  causes: readonly Cause[],
  effects: readonly Heard[],
  events: Map<string, Heard>,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(causes.map(keyOf).filter((key) => !events.has(key)));
  if (missing.size === 0) return;
  const times = effects.map(({ atMs }) => atMs);
  const sinceMs = Math.max(0, Math.min(...times) - BEFORE_MS);
  const history = { streams: ['history'], from: 'all', sinceMs } as const;
  for await (const read of readToEnd(log, history, signal)) {
    if (missing.delete(keyOf(read))) events.set(keyOf(read), read);
    if (missing.size === 0 || read.atMs > Math.max(...times) + SKEW_MS) return;
  }
}
