/** Processes that a test can hurt, and those that are started again when they die. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newChild, type Child } from './child.ts';
import { answers, bodyOf } from './http.ts';
import { isAlive } from './lock.ts';
import { freePort } from './port.ts';
import { supervise } from './supervise.ts';
import { eventually } from './wait.ts';

const soon = { withinMs: 10_000 };

describe('a process of the tests', function () {
  this.timeout(30_000);
  let folder = '';
  let children: Child[] = [];

  /** A child that runs `script` after it has begun to answer on a port. */
  const make = async (script: string, readyWithinMs = 10_000): Promise<Child> => {
    const port = await freePort();
    const serve = `require('http').createServer((q, r) => r.end('here')).listen(${port});`;
    const child = newChild({
      name: 'server',
      command: process.execPath,
      args: ['-e', script.replace('SERVE', serve)],
      logFile: join(folder, `${port}.log`),
      ready: () => answers(`http://127.0.0.1:${port}`),
      readyWithinMs,
    });
    children.push(child);
    return child;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-child-'));
    children = [];
  });
  afterEach(async () => {
    for (const child of children) await child.stop();
    rmSync(folder, { recursive: true });
  });

  it('is started when it serves, and gone when it is stopped', async () => {
    const child = await make('SERVE');
    assert.equal(child.pid, 0);
    await child.start();
    const { pid } = child;
    assert.ok(isAlive(pid));
    await child.stop();
    assert.equal(isAlive(pid), false);
    assert.equal(child.pid, 0);
  });

  it('is not started twice', async () => {
    const child = await make('SERVE');
    await child.start();
    await assert.rejects(child.start(), /server runs already/);
  });

  it('is stopped even while it is frozen', async () => {
    const child = await make('SERVE');
    await child.start();
    child.freeze();
    await child.stop();
    assert.equal(child.pid, 0);
  });

  it('that ends instead of serving is reported with the end of its log', async () => {
    const child = await make('console.error("no port"); process.exit(3)');
    await assert.rejects(child.start(), /ended \(exit code 3\); the end of its log:\nno port/);
  });

  it('that does not serve in time is reported with the end of its log', async () => {
    const child = await make('console.log("thinking"); setInterval(() => {}, 1000)', 500);
    await assert.rejects(child.start(), /"server serves" is not so after 0.5 s;.*log:\nthinking/s);
  });

  it('that cannot be run at all is reported', async () => {
    const logFile = join(folder, 'none.log');
    const ready = async (): Promise<boolean> => false;
    const command = join(folder, 'missing');
    const child = newChild({ name: 'none', command, args: [], logFile, ready, readyWithinMs: 500 });
    await assert.rejects(child.start(), /none ended \(spawn .* ENOENT\)/);
  });

  it('is started again after a death when it is supervised, and both are reported', async () => {
    const child = await make('SERVE');
    const lines: string[] = [];
    supervise(
      child,
      (line) => lines.push(line),
      () => false,
    );
    await child.start();
    const { pid } = child;
    process.kill(pid, 'SIGKILL');
    await eventually('it runs again', soon, () => lines.length >= 2);
    assert.deepEqual(lines, [
      'the server ended (SIGKILL); it is started again in 1 s',
      `the server runs again as process ${child.pid}`,
    ]);
    assert.notEqual(child.pid, pid);
  });

  it('is left alone by its supervisor when it was told to stop', async () => {
    const child = await make('SERVE');
    const lines: string[] = [];
    supervise(
      child,
      (line) => lines.push(line),
      () => false,
    );
    await child.start();
    await child.kill();
    await child.restart();
    await child.stop();
    assert.deepEqual(lines, []);
  });
});

describe('a health port', () => {
  it('that nobody listens on answers nothing, and the reason can be read', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    assert.equal(await answers(url), false);
    assert.match(await bodyOf(url), /ECONNREFUSED/);
  });
});
