/** The event log when NATS is killed or frozen, and when it is not needed any more. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { ask, stateOf } from './nats-by-hand.ts';
import { startNatsServer } from './nats-server.ts';
import type { NatsServer } from './nats-server.ts';
import { follow, forever, gone } from './nats-words.ts';

describe('the event log in trouble', function () {
  this.timeout(30_000);
  let server: NatsServer;
  let log: NatsLog;
  let closing: AbortController;

  beforeEach(async () => {
    server = await startNatsServer();
    log = await openLog({ servers: [server.url], name: 'test' });
    closing = new AbortController();
  });

  afterEach(async () => {
    closing.abort();
    await log.close();
    await server.stop();
  });

  it('loses nothing and tells nothing twice when the server is killed amid talk', async () => {
    const { sequences, until } = follow(log, 'watcher', closing.signal);
    let last = 0;
    const talk = async (to: number) => {
      for (; last < to; last += 1) await log.speak('watcher', [gone(`n${last}`)], last, forever);
    };
    for (const kill of [100, 200, 300]) {
      const talking = talk(kill);
      await until(kill - 50);
      await server.kill();
      await server.restart();
      const since = performance.now();
      await talking;
      await until(kill);
      const backMs = performance.now() - since;
      assert.ok(backMs < 3_000, `back after ${backMs} ms`);
    }
    assert.deepEqual(
      sequences,
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
    assert.equal((await stateOf(server.url, 'SLUICE_WATCHER')).last, 300);
  });

  it('puts a turn on the log once, although the frozen server answered too late', async () => {
    await log.speak('assigner', [gone('a')], 0, forever);
    server.freeze();
    const speaking = log.speak('assigner', [gone('b'), gone('c')], 1, forever);
    const alone = log.speak('watcher', [gone('d')], 0, forever);
    // Longer than the time that an answer is waited for, so that a second attempt is under way.
    await sleep(3_000);
    server.thaw();
    assert.deepEqual(await Promise.all([speaking, alone]), [[2, 3], [1]]);
    assert.equal((await stateOf(server.url, 'SLUICE_ASSIGNER')).messages, 3);
    assert.equal((await stateOf(server.url, 'SLUICE_WATCHER')).messages, 1);
  });

  it('gives up at once when it is told to, although the server is gone', async () => {
    await server.kill();
    const enough = new AbortController();
    const speaking = log.speak('watcher', [gone('a')], 0, enough.signal);
    const batches = log.hear(['watcher'], enough.signal)[Symbol.asyncIterator]();
    const hearing = batches.next();
    enough.abort(new Error('enough'));
    await assert.rejects(speaking, /enough/);
    assert.equal((await hearing).done, true);
  });

  it('leaves no consumer behind, and lets few messages wait for a slow reader', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => gone(`n${index}`));
    await log.speak('watcher', many, 0, forever);
    const batches = log.hear(['watcher'], closing.signal)[Symbol.asyncIterator]();
    await batches.next();
    // That nothing more comes cannot be awaited: without a bound all 3,000 would be here by then.
    await sleep(200);
    type List = { consumers: { delivered: { stream_seq: number }; name: string }[] };
    const list = () => ask<List>(server.url, '$JS.API.CONSUMER.LIST.SLUICE_WATCHER');
    const own = async () => (await list()).consumers.filter(({ name }) => name.length === 22);
    const [consumer] = await own();
    assert.ok(consumer && consumer.delivered.stream_seq <= 2_000);
    await log.close();
    while ((await own()).length > 0) await sleep(5);
  });
});
