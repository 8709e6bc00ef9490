/** A room that knew more than the log does says so, though nothing was noted in the cluster. */
import assert from 'node:assert/strict';
import { StaleWriter } from '../../core/door.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { type NatsServer, startNatsServer } from '../edge/nats-server.ts';
import { follow, forever, gone } from '../edge/nats-words.ts';

describe('a log that is restored under a living room', function () {
  this.timeout(30_000);
  let server: NatsServer;
  let log: NatsLog;
  before(async () => {
    server = await startNatsServer();
    log = await openLog({ servers: [server.url], name: 'test' });
  });
  after(async () => {
    await log.close();
    await server.stop();
  });

  it('contradicts what the room has heard', async () => {
    await log.speak('watcher', [gone('a')], 0, forever);
    await server.kill();
    const restore = await server.copyStore();
    await server.restart();
    await log.speak('watcher', [gone('b')], 1, forever);
    const { until, ended } = follow(log, 'watcher', forever);
    await until(2);
    assert.equal(await log.contradiction({}), '');
    await server.kill();
    await restore();
    await server.restart();
    assert.ok((await ended) instanceof StaleWriter);
    assert.equal(await log.contradiction({}), 'SLUICE_WATCHER went back to 1 from 2');
  });

  it('does so no more when it was made void', async () => {
    await log.void();
    assert.equal(await log.contradiction({}), '');
    await log.speak('watcher', [gone('c')], 0, forever);
    assert.equal(await log.contradiction({}), '');
  });
});
