/** What a writer of a stream works with: where it writes, and what, the same in every attempt. */
import { must } from '../../core/assert.ts';
import type { Saying, Speaker } from '../../core/event.ts';
import { subjectOf } from '../../core/subject.ts';
import { encode } from '../protobuf.ts';
import { ApiError, isTransient } from './api.ts';
import { headersOf } from './header.ts';
import type { Place } from './stream.ts';
import type { Headers, Wire } from './wire.ts';

/** Not stored: another last message, or a batch that lost parts on the way. */
const unsettled: ReadonlySet<number> = new Set([10070, 10071, 10164, 10176]);

/** Where one writer's batches go. */
export interface Desk {
  readonly wire: Wire;
  readonly place: Place;
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
  /** The header of all messages, where turns are traced. */
  readonly traceparent?: string | undefined;
}

/** The same in every attempt, so that what landed can be told from what did not. */
export interface Batch {
  readonly size: number;
  message(index: number): Message;
  idOf(index: number): string;
}

export interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
}

/** A turn's messages, each with an identity of its own. */
export function batchOf(
  { wire, place, speaker, traceparent }: Desk,
  says: readonly Saying[],
): Batch {
  const nowMs = Date.now();
  const turn = wire.unique();
  const traced = traceparent === undefined ? {} : { traceparent };
  const idOf = (index: number) => `${turn}.${index}`;
  const message = (index: number): Message => {
    const saying = must(says[index], 'saying');
    const { atMs = nowMs } = saying;
    return {
      subject: subjectOf(place.prefix, speaker, saying.event),
      data: encode({ ...saying, atMs }),
      headers: { ...headersOf(speaker, saying, idOf(index), atMs), ...traced },
    };
  };
  return { size: says.length, message, idOf };
}

/** Whether an attempt that failed may have put something on the stream all the same. */
export function mayHaveLanded(error: unknown): boolean {
  return isTransient(error) || (error instanceof ApiError && unsettled.has(error.errCode));
}
