/** An older log is counted once, even when the count cannot be written down at that moment. */
import assert from 'node:assert/strict';
import { type Cluster, type KubeRequest, StaleWriter } from '../../core/door.ts';
import { openLogger } from '../../edge/log.ts';
import { LogRecord } from '../../edge/record.ts';
import { forever } from '../edge/nats-words.ts';

describe('an older log that is found while the publisher may not write', () => {
  it('is counted, and the count is written down with the next mark', async () => {
    let book = JSON.stringify({ marks: {}, rollbacks: 4 });
    let mayWrite = false;
    const request: Cluster['request'] = async ({ method, body }) => {
      if (method === 'PATCH' && !mayWrite) throw new StaleWriter('the lease ran out');
      if (method === 'PATCH') book = (body as { data: { log: string } }).data.log;
      return { status: 200, message: '', retryAfterMs: 0, body: { data: { log: book } } };
    };
    const contradictions = ['SLUICE_WATCHER went back to 1 from 2'];
    const log = {
      marks: async () => ({}),
      contradiction: async () => contradictions.pop() ?? '',
      void: async () => {},
    };
    const record = new LogRecord('default/x', { request }, openLogger('publisher', 'silent'));
    assert.equal(await record.check(log, forever), 5);
    mayWrite = true;
    await record.watching({ request }).request({ method: 'POST' } as KubeRequest, forever);
    await record.close();
    assert.equal((JSON.parse(book) as { rollbacks: number }).rollbacks, 5);
  });
});
