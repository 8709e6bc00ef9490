/** The event log on a real nats-server: what is said is heard, whole, once, in order. */
import assert from 'node:assert/strict';
import { StaleWriter } from '../../core/door.ts';
import type { HeardBatch } from '../../core/door.ts';
import type { Saying } from '../../core/event.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { ask, headersAt, stateOf } from './nats-by-hand.ts';
import { startNatsServer } from './nats-server.ts';
import type { NatsServer } from './nats-server.ts';
import { forever, gone } from './nats-words.ts';

async function next(batches: AsyncIterator<HeardBatch>): Promise<HeardBatch> {
  const { value, done } = await batches.next();
  assert.ok(!done);
  return value;
}

describe('the event log', () => {
  let server: NatsServer;
  let log: NatsLog;
  let rival: NatsLog;
  let closing: AbortController;

  beforeEach(async () => {
    server = await startNatsServer();
    log = await openLog({ servers: [server.url], name: 'test' });
    rival = await openLog({ servers: [server.url], name: 'rival' });
    closing = new AbortController();
  });

  afterEach(async () => {
    closing.abort();
    await Promise.all([log.close(), rival.close()]);
    await server.stop();
  });

  const hear = (...streams: Parameters<NatsLog['hear']>[0]) =>
    log.hear(streams, closing.signal)[Symbol.asyncIterator]();

  it('gives back what was said, with its causes, its sentence and its time', async () => {
    const saying = {
      ...gone('worker-1', 'ist fort: ü\n'),
      causes: [{ stream: 'watcher', sequence: 7 }],
    };
    const before = Date.now();
    assert.deepEqual(await log.speak('assigner', [saying as Saying], 0, forever), [1]);
    const { stream, events, pending } = await next(hear('assigner'));
    const atMs = events[0]?.atMs ?? 0;
    assert.deepEqual({ stream, pending }, { stream: 'assigner', pending: 0 });
    assert.deepEqual(events, [{ stream: 'assigner', sequence: 1, atMs, ...saying }]);
    assert.ok(atMs >= before && atMs <= Date.now());
  });

  it('tells the last word on each thing first, and then what is said live', async () => {
    await log.speak('watcher', [gone('a', 'old'), gone('b', 'b'), gone('a', 'new')], 0, forever);
    const batches = hear('watcher');
    const { events, pending } = await next(batches);
    assert.deepEqual(
      events.map(({ sequence, said }) => [sequence, said]),
      [
        [2, 'b'],
        [3, 'new'],
      ],
    );
    assert.equal(pending, 0);
    await log.speak('watcher', [gone('c')], 3, forever);
    assert.deepEqual(
      (await next(batches)).events.map(({ sequence }) => sequence),
      [4],
    );
  });

  it('says of an empty stream that there is nothing more to hear', async () => {
    const batches = hear('publisher');
    assert.deepEqual(await next(batches), { stream: 'publisher', events: [], pending: 0 });
    await log.speak('publisher', [gone('a')], 0, forever);
    assert.equal((await next(batches)).events.length, 1);
  });

  it('hears several streams at once, each in its own order', async () => {
    await log.speak('watcher', [gone('a'), gone('b')], 0, forever);
    await log.speak('assigner', [gone('c')], 0, forever);
    const heard: Record<string, number[]> = {};
    const batches = hear('watcher', 'assigner', 'publisher');
    while (Object.keys(heard).length < 3) {
      const { stream, events } = await next(batches);
      heard[stream] = [...(heard[stream] ?? []), ...events.map(({ sequence }) => sequence)];
    }
    assert.deepEqual(heard, { watcher: [1, 2], assigner: [1], publisher: [] });
  });

  it('lets nothing land of a turn that was thought of without knowing the last word', async () => {
    await log.speak('assigner', [gone('a'), gone('b')], 0, forever);
    await assert.rejects(rival.speak('assigner', [gone('c'), gone('d')], 1, forever), StaleWriter);
    await assert.rejects(rival.speak('assigner', [gone('c')], 1, forever), StaleWriter);
    await assert.rejects(rival.speak('assigner', [gone('c')], 9, forever), StaleWriter);
    assert.deepEqual(await stateOf(server.url, 'SLUICE_ASSIGNER'), { messages: 2, last: 2 });
  });

  it('lets one of two writers win who speak at the same moment', async () => {
    for (let last = 0; last < 40; last += 2) {
      const turn = [gone('a'), gone('b')];
      const both = [log, rival].map((one) => one.speak('assigner', turn, last, forever));
      const results = await Promise.allSettled(both);
      const lost = results.filter((result) => result.status === 'rejected');
      assert.equal(lost.length, 1, `after ${last}`);
      assert.ok(lost[0]?.reason instanceof StaleWriter);
    }
    assert.equal((await stateOf(server.url, 'SLUICE_ASSIGNER')).last, 40);
  });

  it('cuts a turn of 2,500 into batches that NATS takes, in order', async () => {
    const turn = Array.from({ length: 2_500 }, (_, index) => gone(`node-${index}`));
    const sequences = await log.speak('assigner', turn, 0, forever);
    assert.deepEqual(
      sequences,
      turn.map((_, index) => index + 1),
    );
    const ends = await Promise.all(
      [999, 1_000, 1_001, 2_000, 2_500].map(async (sequence) => {
        const headers = await headersAt(server.url, 'SLUICE_ASSIGNER', sequence);
        return headers.includes('Nats-Batch-Commit: 1');
      }),
    );
    assert.deepEqual(ends, [false, true, false, true, true]);
  }).timeout(10_000);

  it('takes names with dots, and of 253 characters', async () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    await log.speak('watcher', [gone(long), gone('a.b'), gone('fd00::1')], 0, forever);
    const { events } = await next(hear('watcher'));
    const names = events.map(({ event }) => 'name' in event && event.name);
    assert.deepEqual(names, [long, 'a.b', 'fd00::1']);
  });

  it('skips what it cannot decode, and counts it', async () => {
    await log.speak('watcher', [gone('a')], 0, forever);
    await ask(server.url, 'sluice.watcher.node.b', 'this is no envelope');
    const { events, pending } = await next(hear('watcher'));
    assert.deepEqual([events.length, pending, log.unreadable()], [1, 0, 1]);
  });
});
