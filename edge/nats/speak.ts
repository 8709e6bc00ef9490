/**
 * The writer of a stream: a turn lands once, whole or a beginning of it (ADR-50 of NATS, law 6).
 */
import type { Saying } from '../../core/event.ts';
import { answerOf } from './api.ts';
import { type Batch, batchOf, type Desk, mayHaveLanded, type Message } from './desk.ts';
import { lookBack } from './look-back.ts';
import { backOff, breathe } from './pause.ts';
import { appendRun } from './run.ts';
import type { Headers, Wire } from './wire.ts';

/** NATS' limit for an atomic batch. */
const batchLimit = 1_000;

/** Up to so many messages go one by one. */
const runLimit = 64;

/** So many are encoded without letting other work in: about 2 ms. */
const stride = 100;

/** As `Log.speak` in `core/door.ts`. Rejects with the signal's reason when it aborts. */
export async function speak(
  desk: Desk,
  says: readonly Saying[],
  last: number,
): Promise<readonly number[]> {
  const { trace } = desk.place;
  if (trace === undefined) return speakAll(desk, says, last);
  const turn = trace.turn(desk.speaker, says);
  try {
    const sequences = await speakAll({ ...desk, traceparent: turn.traceparent }, says, last);
    for (const [index, { event }] of says.entries())
      trace.heard(
        { stream: desk.speaker, sequence: sequences[index] ?? 0, event },
        turn.traceparent,
      );
    turn.end();
    return sequences;
  } catch (error) {
    turn.end(error instanceof Error ? error : String(error));
    throw error;
  }
}

async function speakAll(
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

/** The sequence of the batch's last message, however many attempts it takes. */
async function append(desk: Desk, batch: Batch, last: number): Promise<number> {
  let expected = last;
  for (let failures = 0; ; failures += 1) {
    await desk.wire.ready(desk.signal);
    try {
      if (failures > 0) {
        const { base, landed } = await lookBack(desk, batch, expected);
        if (landed > 0) return base + landed;
        expected = base;
      }
      return await post(desk.wire, batch, expected);
    } catch (error) {
      if (!mayHaveLanded(error)) throw error;
    }
    await backOff(failures, desk.signal);
  }
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
