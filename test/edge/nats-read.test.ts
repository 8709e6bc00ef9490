/** The log as people read it, and a process that ends when it has read enough. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openLog } from '../../edge/nats.ts';
import type { NatsLog } from '../../edge/nats/log.ts';
import type { Read, ReadOptions } from '../../edge/nats/read.ts';
import { stateOf } from './nats-by-hand.ts';
import { startNatsServer } from './nats-server.ts';
import type { NatsServer } from './nats-server.ts';
import { forever, gone } from './nats-words.ts';

const house = fileURLToPath(new URL('../..', import.meta.url));

const short = ({ stream, sequence, subject }: Read) => [stream, sequence, subject];

describe('reading the log', () => {
  let server: NatsServer;
  let log: NatsLog;

  before(async () => {
    server = await startNatsServer();
    log = await openLog({ servers: [server.url], name: 'test', prefix: 'dam' });
    await log.speak('watcher', [gone('a'), gone('b.c')], 0, forever);
    await log.speak('assigner', [gone('a')], 0, forever);
    await log.speak('watcher', [gone('a')], 2, forever);
    while ((await stateOf(server.url, 'DAM_HISTORY')).messages < 4) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  after(async () => {
    await log.close();
    await server.stop();
  });

  const read = async (options: Partial<ReadOptions>) => {
    const whole = { streams: ['watcher', 'assigner'], from: 'all', follow: false } as const;
    const all: Read[] = [];
    for await (const line of log.read({ ...whole, ...options }, forever)) all.push(line);
    return all;
  };

  const first = ['watcher', 1, 'dam.watcher.node.a'];
  const second = ['watcher', 2, 'dam.watcher.node.b_c'];
  const third = ['assigner', 1, 'dam.assigner.node.a'];
  const fourth = ['watcher', 3, 'dam.watcher.node.a'];

  it('tells what several said in the order in which they said it', async () => {
    const all = await read({});
    const times = all.map(({ atMs }) => atMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const of = (speaker: string) => all.filter(({ stream }) => stream === speaker).map(short);
    assert.deepEqual([of('watcher'), of('assigner')], [[first, second, fourth], [third]]);
  });

  it('tells of the history whose words they were, and where they stood', async () => {
    const all = (await read({ streams: ['history'] })).map(short);
    assert.deepEqual(
      all.toSorted((a, b) => (a < b ? -1 : 1)),
      [third, first, second, fourth],
    );
  });

  it('tells the last word on each thing, or on one thing only', async () => {
    const last = await read({ streams: ['watcher'], from: 'last-per-subject' });
    assert.deepEqual(last.map(short), [second, fourth]);
    const one = await read({ streams: ['watcher'], filter: 'node.b_c' });
    assert.deepEqual(one.map(short), [second]);
    const anywhere = await read({ streams: ['history'], filter: 'node.b_c' });
    assert.deepEqual(anywhere.map(short), [second]);
  });

  it('tells nothing of what was said before the time asked for', async () => {
    assert.deepEqual(await read({ sinceMs: Date.now() + 60_000 }), []);
    assert.equal((await read({ sinceMs: Date.now() - 60_000 })).length, 4);
  });

  it('follows what is said from now on', async () => {
    const enough = new AbortController();
    const options = { streams: ['publisher', 'watcher'], from: 'new', follow: true } as const;
    const lines = log.read(options, enough.signal)[Symbol.asyncIterator]();
    const line = lines.next();
    // Until the reader stands at the end, what is said may still come before it.
    for (let last = 0; ; last += 1) {
      await log.speak('publisher', [gone(`n${last}`)], last, forever);
      const heard = await Promise.race([line, new Promise((resolve) => setTimeout(resolve, 20))]);
      if (heard) break;
    }
    assert.equal((await line).value.stream, 'publisher');
    enough.abort();
    while (!(await lines.next()).done);
  });

  it('lets the process end once the log is closed', async () => {
    const script = `
      import { openLog } from './edge/nats.ts';
      const log = await openLog({ servers: ['${server.url}'], name: 'ending', prefix: 'dam' });
      const forever = new AbortController().signal;
      for await (const { pending } of log.hear(['watcher'], forever)) if (pending === 0) break;
      log.hear(['watcher', 'assigner'], forever)[Symbol.asyncIterator]().next();
      const open = log.hear(['watcher'], forever)[Symbol.asyncIterator]();
      await open.next();
      await log.close();
      await log.speak('watcher', [{}], 0, forever).catch((error) => console.log(error.message));
    `;
    const args = ['--input-type=module-typescript', '-e', script];
    const child = spawn(process.execPath, args, {
      cwd: house,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    const [code] = await once(child, 'close');
    assert.deepEqual([code, printed], [0, 'the log was closed\n']);
  });
});
