/**
 * The writer of a stream: a turn lands once, whole or a beginning of it (ADR-50 of NATS, law 6).
 */
import { must } from '../../core/assert.ts';
import { subjectOf } from '../../core/subject.ts';
import { StaleWriter } from '../../core/door.ts';
import type { Saying, Speaker } from '../../core/event.ts';
import { encode } from '../protobuf.ts';
import { ApiError, answerOf, isTransient, storedMessage, streamInfo } from './api.ts';
import { headersOf } from './header.ts';
import { backOff, breathe } from './pause.ts';
import { appendRun } from './run.ts';
import type { Place } from './stream.ts';
import { ensureStreams, streamName } from './stream.ts';
import type { Headers, Wire } from './wire.ts';

/** NATS' limit for an atomic batch. */
const batchLimit = 1_000;

/** Not stored: another last message, or a batch that lost parts on the way. */
const unsettled: ReadonlySet<number> = new Set([10070, 10071, 10164, 10176]);

/** Up to so many messages go one by one. */
const runLimit = 64;

/** So many are encoded without letting other work in: about 2 ms. */
const stride = 100;

/** Where one writer's batches go. */
export interface Desk {
  readonly wire: Wire;
  readonly place: Place;
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
}

/** As `Log.speak` in `core/door.ts`. Rejects with the signal's reason when it aborts. */
export async function speak(
  desk: Desk,
  says: readonly Saying[],
  last: number,
): Promise<readonly number[]> {
  const sequences: number[] = [];
  for (let from = 0; from < says.length; from += batchLimit) {
    const part = says.slice(from, from + batchLimit);
    const end = await appendAll(desk, part, sequences.at(-1) ?? last);
    for (let left = part.length - 1; left >= 0; left -= 1) sequences.push(end - left);
  }
  return sequences;
}

/**
 * An atomic batch costs the server a store of its own on disk: some milliseconds. A few messages go
 * faster one by one, each guarded by the one before; what lands is a beginning of the turn, and
 * that is a legal state. In a cluster of servers guarded messages must not overtake: there, a
 * batch.
 */
function appendAll(desk: Desk, says: readonly Saying[], last: number): Promise<number> {
  const isRun = says.length > 1 && says.length <= runLimit && desk.place.replicas === 1;
  if (!isRun) return append(desk, batchOf(desk, says), last);
  return appendRun(desk, batchOf(desk, says), last);
}

/** The same in every attempt, so that what landed can be told from what did not. */
export interface Batch {
  readonly size: number;
  message(index: number): Message;
  idOf(index: number): string;
}

interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
}

function batchOf({ wire, place, speaker }: Desk, says: readonly Saying[]): Batch {
  const atMs = Date.now();
  const turn = wire.unique();
  const idOf = (index: number) => `${turn}.${index}`;
  const message = (index: number): Message => {
    const saying = must(says[index], 'saying');
    return {
      subject: subjectOf(place.prefix, speaker, saying.event),
      data: encode({ ...saying, atMs }),
      headers: headersOf(speaker, saying, idOf(index), atMs),
    };
  };
  return { size: says.length, message, idOf };
}

/** The sequence of the batch's last message, however many attempts it takes. */
async function append(desk: Desk, batch: Batch, last: number): Promise<number> {
  let expected = last;
  for (let failures = 0; ; failures += 1) {
    await desk.wire.ready(desk.signal);
    try {
      if (failures > 0) {
        const found = await lookBack(desk, batch, expected);
        if (found.landed) return found.last;
        expected = found.last;
      }
      return await post(desk.wire, batch, expected);
    } catch (error) {
      if (!mayHaveLanded(error)) throw error;
    }
    await backOff(failures, desk.signal);
  }
}

export function mayHaveLanded(error: unknown): boolean {
  return isTransient(error) || (error instanceof ApiError && unsettled.has(error.errCode));
}

/** One attempt. Only its last message is answered: nothing is stored before that one is there. */
async function post(wire: Wire, batch: Batch, expected: number): Promise<number> {
  const id = wire.unique();
  const final = batch.size - 1;
  const messageAt = (index: number): Message => {
    const { subject, data, headers } = batch.message(index);
    return { subject, data, headers: { ...headers, ...guards(id, index, final, expected) } };
  };
  for (let index = 0; index < final; index += 1) {
    const { subject, data, headers } = messageAt(index);
    wire.publish(subject, data, headers);
    if (index % stride === stride - 1) await breathe();
  }
  const { subject, data, headers } = messageAt(final);
  return answerOf<{ seq: number }>((await wire.request(subject, data, headers)).data).seq;
}

/** No `Nats-Msg-Id`: inside a batch one that is known refuses the whole; `ce-id` does its work. */
function guards(id: string, index: number, final: number, expected: number): Headers {
  return {
    ...(index === 0 && { 'Nats-Expected-Last-Sequence': String(expected) }),
    ...(final > 0 && { 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': String(index + 1) }),
    ...(final > 0 && index === final && { 'Nats-Batch-Commit': '1' }),
  };
}

/**
 * After an attempt without a clear answer: did it land? If not, the last sequence that the next one
 * may expect. Throws StaleWriter when the stream is not as this writer left it.
 */
async function lookBack(
  { wire, place, speaker }: Desk,
  batch: Batch,
  expected: number,
): Promise<{ readonly landed: boolean; readonly last: number }> {
  const stream = streamName(place.prefix, speaker);
  const state = (await streamInfo(wire, stream))?.state;
  if (!state) {
    await ensureStreams(wire, place);
    if (expected > 0) throw new StaleWriter(`stream ${stream} was gone`);
    return { landed: false, last: 0 };
  }
  const { last_seq: last, messages } = state;
  if (last === expected) return { landed: false, last };
  // Who knows nothing of a stream without a message misses nothing: it was purged, or goes on.
  if (expected === 0 && messages === 0) return { landed: false, last };
  const top = await storedMessage(wire, stream, { seq: last });
  if (top?.header('ce-id') === batch.idOf(batch.size - 1)) return { landed: true, last };
  throw new StaleWriter(`stream ${stream} is at ${last}, not at ${expected}`);
}
