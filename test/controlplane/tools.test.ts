/** Where the tools come from: the environment, the cache, or a build that two runs share. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requiredVersion, toolSources, versionOf } from './go-module.ts';
import { withLock } from './lock.ts';
import { findTools, givenPath, toolCache, toolsOfUse } from './tools.ts';

/** Above what a system gives to processes: nobody has it. */
const nobody = 2 ** 22 + 1;

function source(name: string) {
  const tool = toolSources.find((candidate) => candidate.name === name);
  assert.ok(tool);
  return tool;
}

describe('the tools of the tests', () => {
  let folder = '';
  const program = (...path: string[]): string => {
    const file = join(folder, ...path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    return file;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-tools-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have their version in go.mod and nowhere else', () => {
    for (const tool of toolSources) assert.match(versionOf(tool), /^v\d+\.\d+\.\d+$/);
  });

  it('take the version of the module that is nearest to the package', () => {
    const goMod = 'require (\n\texample.org/a v1.0.0\n\texample.org/a/b/v3 v3.2.1 // indirect\n)';
    assert.equal(requiredVersion(goMod, 'example.org/a/b/v3/cmd/x'), 'v3.2.1');
    assert.equal(requiredVersion(goMod, 'example.org/a/c'), 'v1.0.0');
    assert.throws(() => requiredVersion(goMod, 'example.org/ab'), /no module that has/);
  });

  it('are taken from TEST_ASSET_<NAME> before KUBEBUILDER_ASSETS', () => {
    const asset = program('mine');
    const builder = program('assets', 'kube-apiserver');
    const env = { TEST_ASSET_KUBE_APISERVER: asset, KUBEBUILDER_ASSETS: join(folder, 'assets') };
    assert.equal(givenPath(source('kube-apiserver'), env), asset);
    const { TEST_ASSET_KUBE_APISERVER: _, ...rest } = env;
    assert.equal(givenPath(source('kube-apiserver'), rest), builder);
    assert.equal(givenPath(source('etcd'), rest), undefined);
  });

  it('refuse a TEST_ASSET that is not there instead of building in silence', () => {
    const env = { TEST_ASSET_ETCD: join(folder, 'missing') };
    assert.throws(() => givenPath(source('etcd'), env), /TEST_ASSET_ETCD=.* is no executable file/);
  });

  it('take kubectl from PATH, but no server', () => {
    const env = { PATH: join(folder, 'bin') };
    const kubectl = program('bin', 'kubectl');
    program('bin', 'etcd');
    assert.equal(givenPath(source('kubectl'), env), kubectl);
    assert.equal(givenPath(source('etcd'), env), undefined);
  });

  it('are built unasked only where they are of use: those of frr-k8s beside FRR', () => {
    const everywhere = toolsOfUse(() => false);
    const besideFrr = toolsOfUse((path) => path === '/usr/lib/frr/bgpd');
    assert.ok(everywhere.includes('kube-apiserver'));
    assert.deepEqual(
      besideFrr.filter((name) => !everywhere.includes(name)),
      ['frr-k8s-controller', 'statuscleaner', 'frr-status'],
    );
  });

  it('are kept below XDG_CACHE_HOME', () => {
    assert.equal(toolCache({ XDG_CACHE_HOME: '/c' }), join('/c', 'sluice', 'tools'));
  });

  it('are known by name only', async () => {
    await assert.rejects(findTools(['etcdd']), /"etcdd" is no tool known here/);
  });

  it('are built by one run while the other waits and says so', async () => {
    const lock = join(folder, 'lock');
    const order: string[] = [];
    let release = (): void => {};
    const first = withLock(lock, assert.fail, async () => {
      order.push('first begins');
      await new Promise<void>((resolve) => (release = resolve));
      order.push('first ends');
    });
    const waiting = (owner: string): void => {
      assert.equal(owner, String(process.pid));
      release();
    };
    await withLock(lock, waiting, async () => void order.push('second begins'));
    await first;
    assert.deepEqual(order, ['first begins', 'first ends', 'second begins']);
    assert.equal(existsSync(lock), false);
  });

  it('are built although a run that died left its lock', async () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, String(nobody));
    const owner = await withLock(lock, assert.fail, async () => readFileSync(lock, 'utf8'));
    assert.equal(owner, String(process.pid));
  });

  it('are built although the lock names a process that has nothing to do with it', async () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, String(process.pid));
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    assert.equal(await withLock(lock, assert.fail, async () => 'built'), 'built');
  });

  it('release the lock when the build fails', async () => {
    const lock = join(folder, 'lock');
    const failing = withLock(lock, assert.fail, () => Promise.reject(new Error('no compiler')));
    await assert.rejects(failing, /no compiler/);
    assert.equal(existsSync(lock), false);
  });
});
