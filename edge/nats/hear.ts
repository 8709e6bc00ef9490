/** Several streams heard at once: what has arrived of each is one batch; none waits for another. */
import type { HeardBatch } from '../../core/door.ts';
import type { Heard, Speaker } from '../../core/event.ts';
import { decode } from '../protobuf.ts';
import type { TraceHook } from '../trace/tracing.ts';
import { Bell, breathe } from './pause.ts';
import type { Delivered, Reading } from './reading.ts';
import { Reader } from './reader.ts';

/** What a reading needs of the log that it belongs to. */
export interface Scope {
  readonly signal: AbortSignal;
  /** What must have ended before the connection may be closed. */
  readonly running: Set<Promise<unknown>>;
  /** Counts a message that cannot be decoded. */
  readonly skip: () => void;
  readonly trace?: TraceHook | undefined;
}

export interface Hearing {
  readonly stream: Speaker;
  readonly reading: Omit<Reading, 'ring'>;
}

/** As `Log.hear` in `core/door.ts`. */
export async function* hear(
  hearings: readonly Hearing[],
  scope: Scope,
): AsyncGenerator<HeardBatch> {
  const readers = startReaders(
    hearings.map(({ reading }) => reading),
    scope,
  );
  try {
    while (await readers.arrived()) {
      for (const [index, { stream }] of hearings.entries()) {
        const arrived = readers.take(index);
        if (!arrived) continue;
        const events = arrived.messages.flatMap((message) => heardOf(stream, message, scope));
        yield { stream, events, pending: arrived.pending };
      }
    }
  } finally {
    await readers.stop();
  }
}

/** The event with its place on the log; nothing, and counted, when it cannot be decoded. */
export function heardOf(
  stream: Speaker,
  message: Delivered,
  { skip, trace }: Pick<Scope, 'skip' | 'trace'>,
): Heard[] {
  const said = decode(message.delivery.data);
  if (said === undefined) {
    skip();
    return [];
  }
  const heard = { stream, sequence: message.sequence, ...said };
  trace?.heard(heard, message.delivery.header('traceparent'));
  return [heard];
}

/** Readers side by side; all end when one fails, when they are stopped, or when the scope ends. */
export function startReaders(readings: readonly Omit<Reading, 'ring'>[], scope: Scope) {
  const bell = new Bell();
  const stop = new AbortController();
  const either = AbortSignal.any([scope.signal, stop.signal]);
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    stop.abort();
  };
  const readers = readings.map((reading) => new Reader({ ...reading, ring: () => bell.ring() }));
  either.addEventListener('abort', () => bell.ring());
  if (either.aborted) bell.ring();
  const running = Promise.all(readers.map((reader) => reader.run(either).catch(fail)));
  scope.running.add(running);
  void running.then(() => scope.running.delete(running));
  return {
    /** Waits until something has arrived; false at the end. Throws what a reader failed of. */
    async arrived(): Promise<boolean> {
      await bell.rung();
      // What came in the same packet is handled first: many events make one batch.
      await breathe();
      if (failure) throw failure.error;
      return !either.aborted;
    },
    take: (index: number) => readers[index]?.take(),
    async stop(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
