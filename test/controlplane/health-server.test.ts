/** The health port of the demo's nodes, asked by the prober that the watcher uses. */
import assert from 'node:assert/strict';
import { openProber } from '../../edge/probe.ts';
import { newHealthServer } from './health-server.ts';
import { freePort } from './port.ts';

describe('the health port of a node in the demo', () => {
  const address = '127.64.9.2';

  it('is reachable, then not while it refuses or answers NOT_SERVING', async () => {
    const port = await freePort(address);
    const server = newHealthServer(address, port);
    await server.open();
    const prober = openProber();
    const { signal } = new AbortController();
    const probe = async (): Promise<boolean> => {
      const request = { node: 'n', addresses: [address], mode: 'grpc', port, deadlineMs: 1_000 };
      return (await prober.probe({ ...request, mode: 'grpc' }, signal)).reachable;
    };
    try {
      assert.deepEqual([await probe(), await probe()], [true, true]);
      server.setServing(false);
      assert.equal(await probe(), false);
      server.setServing(true);
      assert.equal(await probe(), true);
      await server.close();
      // The first failure is forgiven: the agent may be starting again (spec/egressip.md 6.2).
      assert.deepEqual([await probe(), await probe()], [true, false]);
      await server.open();
      assert.equal(await probe(), true);
    } finally {
      prober.close();
      await server.close();
    }
  });
});
