/** The program `sluice` on a real nats-server, as a person runs it: output, exit codes, pipes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Saying, Speaker } from '../../core/event.ts';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import { type NatsServer, startNatsServer } from '../edge/nats-server.ts';
import { finish, type Ran, start, textOf } from './process.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';

const production = { tier: 'production' };
const signal = new AbortController().signal;

describe('sluice on a real log', function () {
  this.timeout(60_000);
  let nats: NatsServer;
  let log: NatsLog;
  let scene: Scene;
  const told: { speaker: Speaker; saying: Saying }[] = [];
  const last: Record<Speaker, number> = {
    watcher: 0,
    assigner: 0,
    bgp: 0,
    'aws-sync': 0,
    publisher: 0,
  };

  /** Puts on the log what the scene said since the last time. */
  async function flush(): Promise<void> {
    for (const { speaker, saying } of told.splice(0)) {
      const sequences = await log.speak(speaker, [saying], last[speaker], signal);
      last[speaker] = sequences.at(-1) ?? 0;
    }
  }

  const run = (...args: string[]): Promise<Ran> => finish(start(args, { NATS_URL: nats.url }));

  before(async () => {
    nats = await startNatsServer();
    log = await openLog({ servers: [nats.url], name: 'test' });
    scene = new Scene((speaker, saying) => told.push({ speaker, saying }));
    scene.see(
      synced('grpc'),
      seen(node('worker-1', 1, production)),
      probe('worker-1', true),
      seen(node('worker-2', 2)),
      egressIP('prod-web', ['203.0.113.100'], where(production)),
    );
    await flush();
  });

  after(async () => {
    await log?.close();
    await nats?.stop();
  });

  it('status shows the address on its node and succeeds', async () => {
    const { code, out, err } = await run('status');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^prod-web +tier=production +203\.0\.113\.100 +worker-1 +\d+s +Placed/m);
  });

  it('tail shows the past in order of time, each event once', async () => {
    const { code, out } = await run('tail', '--no-follow');
    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, scene.heard.length);
    assert.match(
      lines.at(-1) ?? '',
      /^[\d:]{8}\.\d{3} {2}assigner {3}egressip\/prod-web {9}[\d.]+ placed on .*← watcher/,
    );
    assert.equal(code, 0);
  });

  it('tail writes JSON for machines and obeys filters', async () => {
    const { out } = await run(
      'tail',
      'egressip/prod-*',
      'assigner',
      '--since',
      '1h',
      '--no-follow',
      '-o',
      'json',
    );
    const [event, ...others] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    assert.deepEqual(others, []);
    const { time: _, event: decision, causes, ...rest } = event as Record<string, unknown>;
    assert.deepEqual(rest, {
      stream: 'assigner',
      sequence: 1,
      kind: 'EgressIPDecided',
      object: 'egressip/prod-web',
      said: '203.0.113.100 placed on worker-1',
    });
    assert.equal((decision as { name: string }).name, 'prod-web');
    assert.ok(Array.isArray(causes) && causes.length > 0);
  });

  it('tail shows what is said while it runs, without delay, and ends in good order', async () => {
    const child = start(['tail', '--since', '1h', 'node/worker-9'], { NATS_URL: nats.url });
    const done = finish(child);
    scene.see(seen(node('worker-9', 9)));
    await flush();
    // The past came: it listens from here on.
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    scene.see(seen(node('worker-9', 9, {}, { ready: false })));
    await flush();
    const startMs = performance.now();
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    assert.ok(performance.now() - startMs < 1_000);
    child.kill('SIGINT');
    const { code, out } = await done;
    assert.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)[3]),
      ['ready', 'not ready'],
    );
    assert.equal(code, 0);
  });

  it('is quiet when the reader of a pipe has had enough', async () => {
    const child = start(['tail', '--since', '1h'], { NATS_URL: nats.url });
    const closed = once(child, 'close');
    const err = textOf(child.stderr);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    scene.see(seen(node('worker-9', 9)));
    await flush();
    assert.deepEqual([(await closed)[0], await err], [0, '']);
  });

  it('why and status fail when an address has no node', async () => {
    scene.see(probe('worker-1', false));
    await flush();
    const answer = await run('why', 'egressip/prod-web');
    assert.equal(answer.code, 1);
    assert.match(
      answer.out,
      /^worker-1 +yes +yes +no \(\d+s\) +203\.0\.113\.0\/24 +– +unreachable /m,
    );
    assert.match(answer.out, /It would be placed if: worker-1 answers its probe; or worker-2 gets/);
    assert.match(answer.out, / ← watcher \d+ .*probe\/worker-1 +port 9107 silent for 3 probes$/m);
    const { code, out } = await run('status', '--no-headers');
    assert.match(out, /^prod-web .*NoAvailableNode \(1 unreachable\)/);
    assert.equal(code, 1);
  });

  it('says that there is no such EgressIP, and which one was perhaps meant', async () => {
    const { code, err, out } = await run('why', 'prod-wbe');
    assert.deepEqual([code, out], [1, '']);
    assert.equal(
      err,
      'sluice: there is no EgressIP "prod-wbe". Did you mean "prod-web"? See: sluice status\n',
    );
  });

  it('says that there is no log under another prefix', async () => {
    const { code, err } = await run('status', '--prefix', 'other');
    assert.equal(code, 69);
    assert.match(err, /^sluice: the server answers, but there is no log to read/);
  });
});
