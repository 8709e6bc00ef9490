/** The small parts of the door to the Kubernetes API. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sighting } from '../../core/door.ts';
import { answerOf } from '../../edge/kubernetes/answer.ts';
import { tokenFile } from '../../edge/kubernetes/authorization.ts';
import { inCluster } from '../../edge/kubernetes/in-cluster.ts';
import { Lines } from '../../edge/kubernetes/lines.ts';
import { Mailbox } from '../../edge/kubernetes/mailbox.ts';
import { Pace } from '../../edge/kubernetes/pace.ts';

const collection = '/apis/k8s.ovn.org/v1/egressips';

function put(uid: string, resourceVersion: string): Sighting {
  return { kind: 'Put', collection, object: { metadata: { name: uid, uid, resourceVersion } } };
}

function gone(uid: string): Sighting {
  return { kind: 'Gone', collection, name: uid, uid };
}

describe('lines of a watch', () => {
  it('are the same wherever the stream is cut', () => {
    const bytes = Buffer.from('{"a":"é"}\n{"b":"出"}\n\n{"c":"🚪"}\n{"rest');
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines = new Lines();
      const all: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        all.push(...lines.push(bytes.subarray(at, at + size)));
      }
      assert.deepEqual(all, ['{"a":"é"}', '{"b":"出"}', '{"c":"🚪"}'], `${size} bytes at a time`);
    }
  });
});

describe('what waits for a busy reader', () => {
  it('is all kept while it is little', async () => {
    const mailbox = new Mailbox('10', 3);
    mailbox.push([put('a', '11'), put('a', '12')], '12');
    mailbox.push([gone('a')], '13');
    const all = { sightings: [put('a', '11'), put('a', '12'), gone('a')], version: '13' };
    assert.deepEqual(await mailbox.take(), all);
  });

  it('is only the latest of each object when it is much, deletions included', async () => {
    const mailbox = new Mailbox('10', 4);
    mailbox.push([put('a', '11'), put('b', '12'), gone('b'), put('a', '14')], '14');
    mailbox.push([put('c', '15')], '15');
    const latest = { sightings: [gone('b'), put('a', '14'), put('c', '15')], version: '15' };
    assert.deepEqual(await mailbox.take(), latest);
  });

  it('is bounded by the number of objects', async () => {
    const mailbox = new Mailbox('0', 10);
    for (let version = 1; version <= 10_000; version += 1) {
      mailbox.push([put(`object-${version % 7}`, String(version))], String(version));
    }
    const batch = await mailbox.take();
    const length = batch?.sightings.length ?? 0;
    assert.ok(length >= 7 && length <= 14, `${length} sightings of 7 objects`);
    assert.equal(batch?.version, '10000');
  });
});

describe('the pace at which the server is asked again', () => {
  const options = { backoffMs: 500, backoffCapMs: 30_000 };

  it('doubles up to its cap, and starts afresh after a good while', () => {
    const pace = new Pace(options, () => 0);
    const waits = Array.from({ length: 9 }, () => pace.failed(0));
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    pace.steady();
    assert.equal(pace.failed(0), 500);
  });

  it('is spread over half of the time', () => {
    assert.equal(new Pace(options, () => 0.999999).failed(0) > 249, true);
    assert.equal(new Pace(options, () => 0.5).failed(0), 375);
  });

  it('is never faster than the server asked', () => {
    assert.equal(new Pace(options, () => 0).failed(7000), 7000);
    assert.equal(new Pace(options, () => 0).failed(100), 500);
  });

  it('is without a pause for the first list after a version became too old', () => {
    const pace = new Pace(options, () => 0);
    assert.deepEqual([pace.expired(), pace.expired(), pace.expired()], [0, 500, 1000]);
    pace.steady();
    assert.equal(pace.expired(), 0);
  });
});

describe('an answer of the server', () => {
  it('may name the moment to come again', () => {
    const later = new Date(60_000).toUTCString();
    assert.equal(answerOf(503, '', later, 20_000).retryAfterMs, 40_000);
    assert.equal(answerOf(503, '', 'soon', 0).retryAfterMs, 0);
  });

  it('that is no JSON is still worth reading', () => {
    assert.equal(
      answerOf(404, '404 page not found\n', '', 0).message,
      'status 404: 404 page not found',
    );
    assert.equal(answerOf(502, '', '', 0).message, 'status 502');
  });
});

describe('a pod', () => {
  it('finds the server and its token where Kubernetes puts them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pod-'));
    await writeFile(join(folder, 'ca.crt'), 'PEM');
    await writeFile(join(folder, 'token'), 'abc\n');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const options = inCluster(env, folder);
    assert.equal(options?.server, 'https://[fd00::1]:443');
    assert.equal(options.ca, 'PEM');
    assert.equal(await options.authorization?.(false), 'Bearer abc');
    assert.equal(inCluster({}, folder), undefined);
    await rm(folder, { recursive: true });
  });

  it('reads its token again after a while, and keeps the last while there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pod-'));
    const file = join(folder, 'token');
    await writeFile(file, 'one');
    const token = tokenFile(file, 0);
    assert.equal(await token(false), 'Bearer one');
    await writeFile(file, 'two');
    assert.equal(await token(false), 'Bearer two');
    await rm(folder, { recursive: true });
    assert.equal(await token(false), 'Bearer two');
    await assert.rejects(tokenFile(file)(false), /ENOENT/);
  });
});
