/** A few messages at once, each guarded by the one before: what lands is a beginning of them. */
import { answerOf } from './api.ts';
import { lookBack } from './look-back.ts';
import { backOff } from './pause.ts';
import { type Batch, type Desk, mayHaveLanded } from './desk.ts';

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
