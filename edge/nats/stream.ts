/** The streams of the log: one per speaker, and the history that sources them all. */
import { assert } from '../../core/assert.ts';
import type { Speaker } from '../../core/event.ts';
import { speakers } from '../../core/event.ts';
import { ApiError, ask, storedMessage, streamInfo } from './api.ts';
import type { TraceHook } from '../trace/tracing.ts';
import type { Wire } from './wire.ts';

export type StreamOf = Speaker | 'history';

/** Where the log lives on the server. */
export interface Place {
  /** First word of every subject; in upper case, first word of every stream's name. */
  readonly prefix: string;
  /** Copies of each stream in the NATS cluster. */
  readonly replicas: 1 | 3;
  /** Whether this client makes streams that are missing; it may lack the permission. */
  readonly makes: boolean;
  readonly trace?: TraceHook | undefined;
}

/** So many, that the history may lag by minutes without missing any (`architecture.md`). */
const keptPerSubject = 64;
const historyNs = 30 * 24 * 3_600 * 1e9;
const nameInUse = 10058;

/**
 * A stream that is made anew leaves so many sequences out behind what the history knows of its
 * predecessor. So the guard of nobody who knew that one fits, even when the history was behind, and
 * whoever reads the history sees where the stream began anew.
 */
export const LEFT_OUT = 1_000;

/** `SLUICE_WATCHER` for the watcher's. */
export function streamName(prefix: string, stream: StreamOf): string {
  assert(/^[a-z0-9_-]+$/.test(prefix), `"${prefix}" can be the first word of a subject`);
  return `${prefix}_${stream}`.toUpperCase();
}

/** Everything that is said on a stream: `sluice.watcher.>`. */
export function subjectsOf(prefix: string, stream: StreamOf, rest = '>'): string {
  return `${prefix}.${stream === 'history' ? '*' : stream}.${rest}`;
}

/** Makes the streams that are not there, or leaves that to others. Those that are stay as are. */
export async function ensureStreams(wire: Wire, place: Place): Promise<void> {
  if (!place.makes) return;
  for (const speaker of speakers) await ensure(wire, place, speaker);
  await ensure(wire, place, 'history');
}

async function ensure(wire: Wire, place: Place, stream: StreamOf): Promise<void> {
  const name = streamName(place.prefix, stream);
  if (await streamInfo(wire, name)) return;
  const shape = stream === 'history' ? history(place.prefix) : await own(wire, place, stream);
  // No compression: nats-server 2.15 may go on in plain in a compressed block when servers were
  // killed, and cannot read it any more; as leader it then serves nobody (docs/reliability.md).
  const common = { storage: 'file', allow_direct: true, discard: 'old' };
  const config = { name, num_replicas: place.replicas, retention: 'limits', ...common, ...shape };
  try {
    await ask(wire, `STREAM.CREATE.${name}`, config);
  } catch (error) {
    // Another process was faster, with other settings: the stream is there, that is enough.
    if (!(error instanceof ApiError && error.errCode === nameInUse)) throw error;
  }
}

function history(prefix: string): object {
  const sources = speakers.map((speaker) => ({ name: streamName(prefix, speaker) }));
  return { sources, max_age: historyNs };
}

async function own(wire: Wire, place: Place, speaker: Speaker): Promise<object> {
  const subjects = [subjectsOf(place.prefix, speaker)];
  const last = await lastInHistory(wire, place.prefix, speaker);
  return {
    subjects,
    max_msgs_per_subject: keptPerSubject,
    allow_atomic: true,
    ...(last > 0 && { first_seq: last + LEFT_OUT + 1 }),
  };
}

/**
 * The last sequence of a lost stream that the history still knows, else 0. Its successor goes on
 * behind that: the history would skip what comes with a lower sequence, and causes stay
 * unambiguous.
 */
async function lastInHistory(wire: Wire, prefix: string, speaker: Speaker): Promise<number> {
  const last_by_subj = subjectsOf(prefix, speaker);
  const last = await storedMessage(wire, streamName(prefix, 'history'), { last_by_subj });
  return last ? originSequence(last.header('Nats-Stream-Source')) : 0;
}

/** `SLUICE_WATCHER 17 > > sluice.watcher.>`: the origin's sequence is the second word. */
export function originSequence(source: string): number {
  return Number(source.split(' ')[1] ?? 0);
}
