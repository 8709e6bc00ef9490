/** The event log over a wire: the doors of rooms and of people, and what they have in common. */
import type { Log } from '../../core/door.ts';
import type { Speaker } from '../../core/event.ts';
import { hear } from './hear.ts';
import type { LeaseStore } from '../lease-store.ts';
import { leaseStore } from './lease.ts';
import { contradiction, type Marks, marksOf, voidLog } from './mark.ts';
import type { Memory } from './memory.ts';
import type { Read, ReadOptions } from './read.ts';
import { read, startOf } from './read.ts';
import { speak } from './speak.ts';
import type { Place, StreamOf } from './stream.ts';
import { ensureStreams, streamName, subjectsOf } from './stream.ts';
import type { Wire } from './wire.ts';

export interface NatsLog extends Log, MarkedLog {
  connected(): boolean;
  /** How many messages were skipped because they could not be decoded. */
  unreadable(): number;
  /** The log as people read it; a stream that is not there is waited for when following. */
  read(options: ReadOptions, signal: AbortSignal): AsyncIterable<Read>;
  /** Where the replicas of a room agree on who leads. */
  leaseOf(room: Speaker): LeaseStore;
  /** Ends all hearing and reading, then the connection. A speaker in the middle is refused. */
  close(): Promise<void>;
}

/** A log that can be known again, as `mark.ts` does. */
export interface MarkedLog {
  marks(): Promise<Marks>;
  contradiction(marks: Marks): Promise<string>;
  void(): Promise<void>;
}

/** The log that lives at `place`; `hangUp` closes the wire. */
export function logOn(wire: Wire, place: Place, hangUp: () => Promise<void>): NatsLog {
  const closing = new AbortController();
  let unreadable = 0;
  const skip = () => void (unreadable += 1);
  const until = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
  const common = { running: new Set<Promise<unknown>>(), skip, trace: place.trace };
  const scope = (signal: AbortSignal) => ({ ...common, signal: until(signal) });
  const readingOf = (stream: StreamOf, rest?: string) => ({
    wire,
    stream: streamName(place.prefix, stream),
    filter: subjectsOf(place.prefix, stream, rest),
  });
  /** How far each stream had come when it was last heard: what a restored log does not know. */
  const heard: Partial<Record<Speaker, Memory>> = {};
  let ensuring: Promise<void> | undefined;
  const ensure = () => {
    return (ensuring ??= ensureStreams(wire, place).finally(() => (ensuring = undefined)));
  };
  const hearingOf = (stream: Speaker) => {
    const start = { at: 'last-per-subject' } as const;
    const leave = (memory: Memory) => void (memory.sequence > 0 && (heard[stream] = memory));
    return { stream, reading: { ...readingOf(stream), start, ensure, leave } };
  };
  return {
    hear: (streams, signal) => hear(streams.map(hearingOf), scope(signal)),
    speak: (speaker, says, last, signal) =>
      speak({ wire, place, speaker, signal: until(signal) }, says, last),
    read: (options, signal) => {
      const start = startOf(options);
      const readings = options.streams.map((stream) => {
        return { ...readingOf(stream, options.filter), start, ensure: async () => {} };
      });
      return read(readings, options.follow, scope(signal));
    },
    ...besides(wire, place, heard),
    connected: () => wire.connected(),
    unreadable: () => unreadable,
    close: () => end(closing, common.running, hangUp),
  };
}

/** What replicas agree on, and how the log is known again. */
export function besides(
  wire: Wire,
  place: Place,
  heard: Marks,
): MarkedLog & Pick<NatsLog, 'leaseOf'> {
  return {
    marks: () => marksOf(wire, place),
    contradiction: async (marks) =>
      (await contradiction(wire, place, heard)) || contradiction(wire, place, marks),
    void: () => voidLog(wire, place),
    leaseOf: (room) => leaseStore(wire, place, room),
  };
}

async function end(
  closing: AbortController,
  running: ReadonlySet<Promise<unknown>>,
  hangUp: () => Promise<void>,
): Promise<void> {
  closing.abort(new Error('the log was closed'));
  await Promise.all(running);
  await hangUp();
}
