/** Kinds that the Kubernetes API does not serve yet, or no more. */
import assert from 'node:assert/strict';
import { object } from './apiserver-double.ts';
import { brief, egressIPs, type Setting, setting, watching } from './kubernetes-setting.ts';

describe('a kind that the Kubernetes API does not serve', () => {
  let here: Setting;
  afterEach(() => here.stop());

  it('is said once to be missing, and is listed as soon as it is served', async () => {
    here = await setting();
    const missing = here.next();
    (await here.api.next()).refuse(404, 'the server could not find the requested resource');
    assert.deepEqual(brief(await missing), ['NotServed']);
    const listed = here.next();
    (await here.api.next()).refuse(404, 'still not');
    (await here.api.next()).refuse(404, 'still not');
    (await here.api.next()).list('10', [object('web', '9')]);
    assert.deepEqual(brief(await listed), ['Listed 1']);
  });

  it('is said to be missing when it vanishes', async () => {
    const started = await watching();
    here = started;
    started.watch.event('DELETED', object('web', '11'));
    await started.seen;
    const seen = started.next();
    started.watch.end();
    (await started.api.next()).refuse(404, 'gone');
    const list = await started.api.next();
    assert.ok(!list.isWatch);
    list.refuse(404, 'gone');
    assert.deepEqual(brief(await seen), ['NotServed']);
  });

  it('tells whether it has a status subresource once it is served', async () => {
    here = await setting();
    const answer = here.cluster.hasStatusSubresource(egressIPs, here.control.signal);
    const first = await here.api.next();
    assert.equal(first.path, '/apis/k8s.ovn.org/v1');
    first.refuse(404, 'not found');
    const others = { resources: [{ name: 'egressfirewalls' }] };
    (await here.api.next()).json(200, others);
    (await here.api.next()).json(200, { resources: [{ name: 'egressips' }] });
    assert.equal(await answer, false);
  });

  it('is asked for its status subresource where the core kinds are, too', async () => {
    here = await setting();
    const answer = here.cluster.hasStatusSubresource('/api/v1/nodes', here.control.signal);
    const exchange = await here.api.next();
    assert.equal(exchange.path, '/api/v1');
    exchange.json(200, { resources: [{ name: 'nodes' }, { name: 'nodes/status' }] });
    assert.equal(await answer, true);
  });

  it('is not waited for any longer than somebody wants to know', async () => {
    here = await setting({ absentMs: 60_000 });
    const answer = here.cluster.hasStatusSubresource(egressIPs, here.control.signal);
    const given = assert.rejects(answer, /AbortError/);
    (await here.api.next()).refuse(404, 'not found');
    here.control.abort();
    await given;
  });
});
