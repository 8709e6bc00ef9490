/** A few messages at once, each guarded by the one before: what lands is a beginning of them. */
import { StaleWriter } from '../../core/door.ts';
import { answerOf, storedMessage, streamInfo } from './api.ts';
import { backOff } from './pause.ts';
import { type Batch, type Desk, mayHaveLanded } from './desk.ts';
import { ensureStreams, streamName } from './stream.ts';

/** The sequence of the last one, however many attempts it takes. */
export async function appendRun(desk: Desk, run: Batch, last: number): Promise<number> {
  let base = last;
  let landed = 0;
  for (let failures = 0; ; failures += 1) {
    await desk.wire.ready(desk.signal);
    try {
      if (failures > 0) ({ base, landed } = await lookBack(desk, run, base));
      if (landed < run.size) await post(desk, run, landed, base + landed);
      return base + run.size;
    } catch (error) {
      if (!mayHaveLanded(error)) throw error;
    }
    await backOff(failures, desk.signal);
  }
}

/**
 * One attempt, from message `from` on. The first is guarded by the stream's last sequence, each
 * other one by the identity of the one before: a rival's message in between makes all later ones
 * refused, which a sequence alone would not (it may just be the expected one).
 */
async function post(desk: Desk, run: Batch, from: number, expected: number): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (let index = from; index < run.size; index += 1) {
    const { subject, data, headers } = run.message(index);
    const guard =
      index === from
        ? { 'Nats-Expected-Last-Sequence': String(expected) }
        : { 'Nats-Expected-Last-Msg-Id': run.idOf(index - 1) };
    const all = { ...headers, 'Nats-Msg-Id': run.idOf(index), ...guard };
    // The connection keeps their order.
    answers.push(desk.wire.request(subject, data, all).then((answer) => answerOf(answer.data)));
  }
  const settled = await Promise.allSettled(answers);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * How many of the run landed, behind which sequence. Throws StaleWriter when the stream is not as
 * this writer left it.
 */
async function lookBack(
  { wire, place, speaker }: Desk,
  run: Batch,
  base: number,
): Promise<{ readonly base: number; readonly landed: number }> {
  const stream = streamName(place.prefix, speaker);
  const state = (await streamInfo(wire, stream))?.state;
  if (state === undefined) {
    await ensureStreams(wire, place);
    if (base > 0) throw new StaleWriter(`stream ${stream} was gone`);
    return { base, landed: 0 };
  }
  const { last_seq: end, messages } = state;
  if (end === base) return { base, landed: 0 };
  // Who knows nothing of a stream without a message misses nothing: it was purged, or goes on.
  if (base === 0 && messages === 0) return { base: end, landed: 0 };
  const landed = end - base;
  if (landed > 0 && landed <= run.size) {
    const top = await storedMessage(wire, stream, { seq: end });
    if (top?.header('ce-id') === run.idOf(landed - 1)) return { base, landed };
  }
  throw new StaleWriter(`stream ${stream} is at ${end}, not at ${base}`);
}
