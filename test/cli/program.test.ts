/** The program `sluice` without a server: help, wrong usage, and nobody there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { finish, start } from './process.ts';

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe('sluice without a server', () => {
  it('says within seconds what cannot be reached, and what to do', async () => {
    const url = `nats://127.0.0.1:${await closedPort()}`;
    const startMs = performance.now();
    const { code, err, out } = await finish(start(['status', '--server', url], {}));
    assert.deepEqual([code, out], [69, '']);
    assert.equal(
      err,
      `sluice: cannot reach NATS at ${url} (connection refused). Set NATS_URL or --server; ` +
        'in a cluster: kubectl -n sluice port-forward svc/sluice-nats 4222\n',
    );
    assert.ok(performance.now() - startMs < 20_000);
  });

  it('gives up after two seconds on a server that says nothing', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    const { code, err } = await finish(start(['tail', '--server', `127.0.0.1:${port}`], {}));
    mute.close();
    assert.equal(code, 69);
    assert.match(err, /\(no answer within 2 s\)/);
  });

  it('prints its help on stdout when nothing is asked', async () => {
    const { code, out } = await finish(start([], {}));
    assert.equal(code, 0);
    assert.match(out, /^Usage: sluice/);
    assert.match(out, /^Examples:$/m);
  });

  for (const command of ['tail', 'status', 'why', 'rehearse']) {
    it(`has examples in the help of ${command}`, async () => {
      const { code, out } = await finish(start([command, '--help'], {}));
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Examples:\\n {2}sluice ${command}`, 'm'));
    });
  }

  const misuses = [
    ['statsu'],
    ['why'],
    ['status', '-o', 'xml'],
    ['tail', 'pod/x'],
    ['tail', '--since', 'x'],
  ];
  for (const args of misuses) {
    it(`tells how it is used when called with "${args.join(' ')}"`, async () => {
      const { code, err, out } = await finish(start(args, {}));
      assert.deepEqual([code, out], [64, '']);
      assert.match(err, /^sluice: /);
    });
  }
});
