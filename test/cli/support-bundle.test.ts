/** `sluice support-bundle`: everything that helps, nothing that is nobody's business. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Piece, supportBundle } from '../../cli/support-bundle.ts';
import { clusterPieces } from '../../cli/support-bundle-cluster.ts';
import { redact, redactText } from '../../cli/support-bundle-redact.ts';
import { openCluster } from '../../edge/kubernetes/cluster.ts';
import { ApiserverDouble } from '../edge/apiserver-double.ts';
import { screenAt } from './stage.ts';

const piece = (name: string, text: string): Piece => ({
  name,
  about: `about ${name}`,
  read: () => Promise.resolve(text),
});

describe('a support bundle', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (): string => join(folder, 'bundle.tar.gz');
  const tar = (...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync('tar', [...args, '-f', file(), '-C', folder]);
    assert.equal(status, 0, String(stderr));
    return String(stdout);
  };

  it('is a .tar.gz that tar reads, for its owner alone', async () => {
    const pieces = [piece('status.txt', 'ü'.repeat(700)), piece('objects/nodes.json', '')];
    const screen = screenAt(1_700_000_000_000);
    assert.equal(await supportBundle(pieces, { file: file(), dryRun: false }, screen), 0);
    assert.match(tar('-tvz'), /-rw------- .* 1400 2023-11-1\d .*sluice\/status\.txt\n/);
    tar('-xz');
    assert.equal(readFileSync(join(folder, 'sluice/status.txt'), 'utf8'), 'ü'.repeat(700));
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });

  it('says what is missing and why, and is made all the same', async () => {
    const lost = { ...piece('log.jsonl', ''), read: () => Promise.reject(new Error('no server')) };
    const screen = screenAt(0);
    const ask = { file: file(), dryRun: false };
    assert.equal(await supportBundle([lost, piece('a', 'b')], ask, screen), 1);
    assert.match(screen.text(), /log\.jsonl … missing: no server\na … 1 kB\n/);
    tar('-xz');
    const missing = readFileSync(join(folder, 'sluice/missing.txt'), 'utf8');
    assert.equal(missing, 'log.jsonl: no server\n');
  });

  it('only lists what it would hold when it is asked to', async () => {
    const screen = screenAt(0);
    const ask = { file: file(), dryRun: true };
    assert.equal(await supportBundle([piece('a', 'b')], ask, screen), 0);
    assert.match(screen.text(), /^a +about a\n$/);
    assert.throws(() => statSync(file()));
  });

  it('never overwrites a file', async () => {
    const ask = { file: file(), dryRun: false };
    await supportBundle([piece('a', 'b')], ask, screenAt(0));
    await assert.rejects(supportBundle([piece('a', 'b')], ask, screenAt(0)), /EEXIST/);
  });

  it('asks the cluster for no Secret', async () => {
    const api = await ApiserverDouble.start();
    const cluster = openCluster({ server: api.url });
    const listing = clusterPieces(cluster, 'sluice', new AbortController().signal);
    (await api.next()).list('1', [{ metadata: { name: 'sluice-watcher-1' } }]);
    const pieces = await listing;
    assert.ok(pieces.every(({ about }) => !about.includes('secrets')));
    assert.ok(pieces.some(({ about }) => about.endsWith('/sluice-watcher-1:8080/proxy/metrics')));
    await cluster.close();
    await api.stop();
  });

  const texts: readonly (readonly [string, string])[] = [
    ['nats://bgp:hunter2@nats:4222', 'nats://[redacted]@nats:4222'],
    ['authorization: Bearer abcdefgh12', 'authorization: Bearer [redacted]'],
    ['password=hunter2, next', 'password=[redacted], next'],
    ['"token":"abc"', '"token":"[redacted]"'],
    ['arn:aws:iam::123456789012:role/x', 'arn:aws:iam::[account]:role/x'],
    ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
    ['eyJhbGciOi.eyJzdWIi.c2ln', '[redacted]'],
    ['11111111-2222-3333-4444-123456789012', '11111111-2222-3333-4444-123456789012'],
    ['at 1700000000000 ms', 'at 1700000000000 ms'],
  ];
  for (const [text, expected] of texts)
    it(`holds ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(redactText(text), expected);
    });

  it('holds objects without what their fields and variables keep secret', () => {
    const object = {
      metadata: { name: 'a', managedFields: [{}], annotations: { keep: 'x' } },
      spec: {
        neighbors: [{ address: '10.0.0.1', password: 'hunter2', passwordSecret: { name: 's' } }],
        env: [
          { name: 'NATS_PASSWORD', value: 'hunter2' },
          { name: 'NATS_USER', value: 'bgp' },
        ],
        automountServiceAccountToken: true,
      },
    };
    assert.deepEqual(redact(object), {
      metadata: { name: 'a', annotations: { keep: 'x' } },
      spec: {
        neighbors: [{ address: '10.0.0.1', password: '[redacted]', passwordSecret: { name: 's' } }],
        env: [
          { name: 'NATS_PASSWORD', value: '[redacted]' },
          { name: 'NATS_USER', value: 'bgp' },
        ],
        automountServiceAccountToken: true,
      },
    });
  });
});
