/** The program `sluice plan` on a real nats-server: exit codes for scripts, and not one write. */
import assert from 'node:assert/strict';
import type { Saying, Speaker } from '../../core/event.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { type NatsServer, startNatsServer } from '../edge/nats-server.ts';
import { finish, type Ran, start } from './process.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';

const production = { tier: 'production' };

describe('sluice plan on a real log', function () {
  this.timeout(60_000);
  let nats: NatsServer;
  let log: NatsLog;
  const last: Record<Speaker, number> = {
    watcher: 0,
    assigner: 0,
    bgp: 0,
    'aws-sync': 0,
    publisher: 0,
  };

  const run = (...args: string[]): Promise<Ran> =>
    finish(start(['plan', ...args], { NATS_URL: nats.url }));

  before(async () => {
    nats = await startNatsServer();
    log = await openLog({ servers: [nats.url], name: 'test' });
    const told: { speaker: Speaker; saying: Saying }[] = [];
    new Scene((speaker, saying) => told.push({ speaker, saying })).see(
      synced('grpc'),
      seen(node('worker-1', 1, production)),
      seen(node('worker-2', 2)),
      probe('worker-1', true),
      egressIP('prod-web', ['203.0.113.100'], where(production)),
    );
    const { signal } = new AbortController();
    for (const { speaker, saying } of told) {
      const sequences = await log.speak(speaker, [saying], last[speaker], signal);
      last[speaker] = sequences.at(-1) ?? 0;
    }
  });

  after(async () => {
    await log?.close();
    await nats?.stop();
  });

  it('ends with 2 when an address would have no node', async () => {
    const { code, out, err } = await run('--lose', 'node/worker-1');
    assert.deepEqual([code, err], [2, '']);
    assert.match(out, /^Nothing moves, 1 has no node, 1 status write\.$/m);
  });

  it('ends with 0 when it finds another one, options given one by one', async () => {
    const label = ['--label', 'node/worker-2', 'tier=production'];
    const { code, out } = await run('--lose', 'node/worker-1', ...label, '-o', 'json');
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { moves: number }).moves, 1);
  });

  it('puts nothing on the log', async () => {
    await run('--lose', 'node/worker-1');
    const words: string[] = [];
    const all = { streams: ['watcher', 'assigner', 'publisher'], from: 'all' } as const;
    const { signal } = new AbortController();
    for await (const { stream, sequence } of log.read({ ...all, follow: false }, signal))
      words.push(`${stream} ${sequence}`);
    const most = Object.entries(last).filter(([, sequence]) => sequence > 0);
    for (const [speaker, sequence] of most) {
      assert.ok(words.includes(`${speaker} ${sequence}`));
      assert.ok(!words.includes(`${speaker} ${sequence + 1}`));
    }
  });

  it('ends with 64 when it is asked about what is not there, or about nothing', async () => {
    const unknown = await run('--lose', 'node/worker-3');
    assert.equal(unknown.code, 64);
    assert.match(unknown.err, /no node "worker-3"\. Did you mean "worker-1"/);
    const nothing = await run('--server', 'nats://127.0.0.1:1');
    assert.equal(nothing.code, 64);
    assert.match(nothing.err, /what would change\?/);
  });
});
