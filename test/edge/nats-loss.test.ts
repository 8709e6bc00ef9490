/** The event log when NATS loses what it had acknowledged: those who knew more are told. */
import assert from 'node:assert/strict';
import { setImmediate as breathe } from 'node:timers/promises';
import { StaleWriter } from '../../core/door.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { ask, stateOf } from './nats-by-hand.ts';
import { startNatsServer } from './nats-server.ts';
import type { NatsServer } from './nats-server.ts';
import { follow, forever, gone } from './nats-words.ts';

const stream = 'SLUICE_WATCHER';

describe('the event log when NATS loses it', function () {
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

  it('tells a reader that its stream was deleted', async () => {
    await log.speak('watcher', [gone('a')], 0, forever);
    const { until, ended } = follow(log, 'watcher', closing.signal);
    await until(1);
    await ask(server.url, '$JS.API.STREAM.DELETE.SLUICE_WATCHER');
    assert.ok((await ended) instanceof StaleWriter);
  });

  it('tells a reader that its stream was replaced while the server was away', async () => {
    await log.speak('watcher', [gone('a')], 0, forever);
    const { until, ended } = follow(log, 'watcher', closing.signal);
    await until(1);
    const { config } = await ask<{ config: object }>(server.url, `$JS.API.STREAM.INFO.${stream}`);
    // The listener is cut off first, so that it cannot see the stream go.
    await server.kill();
    await server.restart();
    await ask(server.url, `$JS.API.STREAM.DELETE.${stream}`);
    await ask(server.url, `$JS.API.STREAM.CREATE.${stream}`, { ...config, first_seq: 2 });
    await ask(server.url, 'sluice.watcher.node.x', 'another beginning');
    await ask(server.url, 'sluice.watcher.node.y', 'and more');
    assert.ok((await ended) instanceof StaleWriter);
  });

  it('makes a lost stream anew, far behind the sequences that the history knows', async () => {
    await log.speak('watcher', [gone('a'), gone('b')], 0, forever);
    while ((await stateOf(server.url, 'SLUICE_HISTORY')).messages < 2) await breathe();
    await ask(server.url, '$JS.API.STREAM.DELETE.SLUICE_WATCHER');
    await assert.rejects(log.speak('watcher', [gone('c')], 2, forever), StaleWriter);
    assert.deepEqual(await log.speak('watcher', [gone('c'), gone('d')], 0, forever), [1003, 1004]);
  });

  it('refuses whoever knew a lost stream, though it was made anew by somebody else', async () => {
    await log.speak('watcher', [gone('a'), gone('b')], 0, forever);
    while ((await stateOf(server.url, 'SLUICE_HISTORY')).messages < 2) await breathe();
    await ask(server.url, '$JS.API.STREAM.DELETE.SLUICE_WATCHER');
    for await (const { pending } of log.hear(['watcher'], closing.signal)) if (pending === 0) break;
    await assert.rejects(log.speak('watcher', [gone('c')], 2, forever), StaleWriter);
  });

  for (const grown of [false, true]) {
    const how = grown ? 'and has grown since' : '';
    it(`notices a store that was restored from an older copy ${how}`, async () => {
      await log.speak('watcher', [gone('a')], 0, forever);
      await server.kill();
      const restore = await server.copyStore();
      await server.restart();
      await log.speak('watcher', [gone('b')], 1, forever);
      const { until, ended } = follow(log, 'watcher', closing.signal);
      await until(2);
      await server.kill();
      await restore();
      await server.restart();
      if (grown) {
        const other = await openLog({ servers: [server.url], name: 'other' });
        await other.speak('watcher', [gone('c'), gone('d')], 1, forever);
        await other.close();
      }
      assert.ok((await ended) instanceof StaleWriter);
      await assert.rejects(log.speak('watcher', [gone('e')], 2, forever), StaleWriter);
    });
  }
});
