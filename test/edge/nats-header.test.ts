/** The headers make the log legible to people and to CloudEvents, and cannot break its protocol. */
import assert from 'node:assert/strict';
import type { Event } from '../../core/event.ts';
import { headersOf } from '../../edge/nats/header.ts';
import { openLog } from '../../edge/nats.ts';
import { headersAt } from './nats-by-hand.ts';
import { startNatsServer } from './nats-server.ts';
import { forever, gone } from './nats-words.ts';

describe('the headers of a message', () => {
  it('tell who said what of whom, and when, as CloudEvents do', () => {
    const saying = gone('ip-10-0-0-1.eu-west-1.compute.internal');
    assert.deepEqual(headersOf('watcher', saying, 'id.0', 1_764_460_800_123), {
      Said: 'is gone',
      'ce-specversion': '1.0',
      'ce-id': 'id.0',
      'ce-source': '/sluice/watcher',
      'ce-type': 'NodeGone',
      'ce-subject': 'ip-10-0-0-1.eu-west-1.compute.internal',
      'ce-time': '2025-11-30T00:00:00.123Z',
    });
  });

  it('escape what would end the line or is not ASCII', () => {
    const said = 'ist fort: ü\r\nX: y\u{1f30a}\t';
    const event: Event = { kind: 'NodeGone', name: 'a b%ü', uid: '' };
    const headers = headersOf('watcher', { event, causes: [], said }, 'id', 0);
    assert.equal(headers['Said'], 'ist fort: \\u00fc\\u000d\\u000aX: y\\ud83c\\udf0a\\u0009');
    assert.equal(headers['ce-subject'], 'a%20b%25%C3%BC');
  });

  it('stand on the server as they were made', async () => {
    const server = await startNatsServer();
    const log = await openLog({ servers: [server.url], name: 'test' });
    await log.speak('watcher', [gone('worker-1', 'ist fort: ü\n')], 0, forever);
    const headers = await headersAt(server.url, 'SLUICE_WATCHER', 1);
    assert.ok(headers.includes('Said: ist fort: \\u00fc\\u000a'));
    assert.ok(headers.includes('ce-type: NodeGone'));
    await log.close();
    await server.stop();
  });
});
