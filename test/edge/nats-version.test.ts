/** A server that knows no atomic batches would tear turns apart: it is refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { openLog } from '../../edge/nats.ts';
import { knowsBatches } from '../../edge/nats/options.ts';

describe('the version of the NATS server', () => {
  it('is refused below 2.12', async () => {
    const old = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('INFO {"version":"2.11.9","headers":true,"max_payload":1048576}\r\n');
      socket.on('data', (chunk) => String(chunk).includes('PING') && socket.write('PONG\r\n'));
    }).listen(0, '127.0.0.1');
    await once(old, 'listening');
    const { port } = old.address() as AddressInfo;
    const opening = openLog({ servers: [`nats://127.0.0.1:${port}`], name: 'test' });
    await assert.rejects(opening, /nats-server 2\.11\.9 is too old: atomic batches need 2\.12/);
    old.close();
  });

  it('is read as numbers', () => {
    const good = ['2.12.0', '2.15.2-RC.1', '3.0.0'];
    const bad = ['2.9.10', '2.11.9', '1.99.0', ''];
    assert.deepEqual(
      good.map(knowsBatches),
      good.map(() => true),
    );
    assert.deepEqual(
      bad.map(knowsBatches),
      bad.map(() => false),
    );
  });
});
