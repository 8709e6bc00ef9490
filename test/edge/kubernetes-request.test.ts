/** Single requests to the Kubernetes API: what is sent, and what comes back whatever happens. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeRequest } from '../../core/door.ts';
import { tokenFile } from '../../edge/kubernetes/authorization.ts';
import { openCluster } from '../../edge/kubernetes/cluster.ts';
import { object } from './apiserver-double.ts';
import { egressIPs, type Setting, setting } from './kubernetes-setting.ts';

const patch: KubeRequest = {
  method: 'PATCH',
  path: `${egressIPs}/web?fieldManager=sluice`,
  contentType: 'application/merge-patch+json',
  body: { status: { items: [] } },
};
const patient = new AbortController().signal;

describe('a request to the Kubernetes API', () => {
  let here: Setting;
  afterEach(() => here.stop());

  it('is sent as it was given, and answered in full', async () => {
    here = await setting();
    const answer = here.cluster.request(patch, patient);
    const sent = await here.api.next();
    assert.equal(sent.method, 'PATCH');
    assert.equal(sent.path, `${egressIPs}/web`);
    assert.equal(sent.query.get('fieldManager'), 'sluice');
    assert.equal(sent.header('content-type'), 'application/merge-patch+json');
    assert.deepEqual(JSON.parse(sent.body), patch.body);
    sent.json(200, object('web', '12'));
    const expected = { status: 200, body: object('web', '12'), message: '', retryAfterMs: 0 };
    assert.deepEqual(await answer, expected);
  });

  it('reaches an API that lives under a path', async () => {
    here = await setting();
    const cluster = openCluster({ server: `${here.api.url}/k8s/clusters/c-1/` });
    const answer = cluster.get('/version', patient);
    const sent = await here.api.next();
    assert.equal(sent.path, '/k8s/clusters/c-1/version');
    sent.json(200, {});
    await answer;
    await cluster.close();
  });

  it('that is refused says why, and when to come again', async () => {
    here = await setting();
    const answer = here.cluster.request(patch, patient);
    const details = { retryAfterSeconds: 3 };
    (await here.api.next()).json(422, { kind: 'Status', message: 'uid is immutable', details });
    const { status, message, retryAfterMs } = await answer;
    assert.deepEqual(
      { status, message, retryAfterMs },
      {
        status: 422,
        message: 'uid is immutable',
        retryAfterMs: 3000,
      },
    );
  });

  it('that is cut off, or that nobody hears, has no answer but does not fail', async () => {
    here = await setting();
    const answer = here.cluster.request(patch, patient);
    (await here.api.next()).cut();
    assert.equal((await answer).status, 0);
    await here.api.stop();
    const { status, message } = await here.cluster.request(patch, patient);
    assert.equal(status, 0);
    assert.match(message, /ECONNREFUSED/);
  });

  it('that takes too long is given up', async () => {
    here = await setting({ deadlineMs: 50 });
    const answer = here.cluster.request(patch, patient);
    await (await here.api.next()).dropped();
    const { status, message } = await answer;
    assert.deepEqual([status, message], [0, 'no answer within 50 ms']);
  });

  it('is given up at once when it is not wanted any more', async () => {
    here = await setting();
    const control = new AbortController();
    const answer = here.cluster.request(patch, control.signal);
    const sent = await here.api.next();
    control.abort();
    await sent.dropped();
    assert.equal((await answer).status, 0);
  });

  it('is one attempt, even when the server fails', async () => {
    here = await setting();
    const answer = here.cluster.request(patch, patient);
    (await here.api.next()).refuse(503, 'busy', { 'retry-after': '2' });
    const { status, retryAfterMs } = await answer;
    assert.deepEqual([status, retryAfterMs], [503, 2000]);
    assert.equal(here.api.unanswered, 0);
  });

  it('reads the token again, once, when the server does not know it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-token-'));
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    here = await setting({ authorization: tokenFile(file) });
    const accepted = here.cluster.request(patch, patient);
    const first = await here.api.next();
    assert.equal(first.header('authorization'), 'Bearer first');
    await writeFile(file, 'second\n');
    first.refuse(401, 'Unauthorized');
    const second = await here.api.next();
    assert.equal(second.header('authorization'), 'Bearer second');
    second.json(200, {});
    assert.equal((await accepted).status, 200);
    const refused = here.cluster.request(patch, patient);
    (await here.api.next()).refuse(401, 'Unauthorized');
    assert.equal((await refused).status, 401, 'the same token is not tried twice');
    await rm(folder, { recursive: true });
  });

  it('for a whole collection gives all its pages, or says why not', async () => {
    here = await setting();
    const objects = here.cluster.list(egressIPs, patient);
    (await here.api.next()).list('10', [object('a', '3')], 'more');
    (await here.api.next()).list('10', [object('b', '4')]);
    assert.deepEqual(
      (await objects).map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    const refused = assert.rejects(here.cluster.list(egressIPs, patient), /egressips: forbidden/);
    (await here.api.next()).refuse(403, 'forbidden');
    await refused;
  });
});
