/** The simulated cluster answers writes as kube-apiserver does. */
import assert from 'node:assert/strict';
import { EGRESSIPS, EVENTS } from '../../edge/simulated/admission.ts';
import { never, openCluster, path, spec, valueAt, web } from './simulated-setting.ts';

describe('the simulated cluster', () => {
  it('fills in the default egressNodeSelector where it is absent, not empty', async () => {
    const { cluster, ask } = openCluster();
    await ask('POST', EGRESSIPS, web);
    assert.deepEqual(valueAt(cluster.get(EGRESSIPS, 'web'), 'spec', 'egressNodeSelector'), {
      matchExpressions: [{ key: 'k8s.ovn.org/egress-assignable', operator: 'Exists' }],
    });
    await ask('PATCH', path, { spec: { egressNodeSelector: null } });
    assert.ok(valueAt(cluster.get(EGRESSIPS, 'web'), 'spec', 'egressNodeSelector'));
    cluster.set(EGRESSIPS, 'web', { ...web, spec: { ...spec, egressNodeSelector: {} } });
    assert.deepEqual(valueAt(cluster.get(EGRESSIPS, 'web'), 'spec', 'egressNodeSelector'), {});
  });

  it('merges a patch key by key, and null removes a key', async () => {
    const { cluster, ask } = openCluster();
    await ask('POST', EGRESSIPS, web);
    const annotations = { mark: '50000', owner: null };
    assert.equal((await ask('PATCH', path, { metadata: { annotations } })).status, 200);
    const object = cluster.get(EGRESSIPS, 'web');
    assert.deepEqual(valueAt(object, 'metadata', 'annotations'), { mark: '50000' });
  });

  it('answers a failed test of a JSON patch with 422 and changes nothing', async () => {
    const { cluster, ask } = openCluster();
    await ask('POST', EGRESSIPS, web);
    const status = { op: 'add', path: '/status', value: { items: [] } };
    const test = { op: 'test', path: '/metadata/uid', value: 'another' };
    const refused = await ask('PATCH', path, [test, status], 'json-patch');
    assert.equal(refused.status, 422);
    assert.equal(valueAt(cluster.get(EGRESSIPS, 'web'), 'status'), undefined);
    const { uid } = cluster.get(EGRESSIPS, 'web')?.metadata ?? { uid: '' };
    const done = await ask('PATCH', path, [{ ...test, value: uid }, status], 'json-patch');
    assert.equal(done.status, 200);
    assert.deepEqual(valueAt(cluster.get(EGRESSIPS, 'web'), 'status'), { items: [] });
  });

  it('answers 404, 409, 415 and 422 as the API server does', async () => {
    const { ask } = openCluster();
    assert.equal((await ask('PATCH', path, {})).status, 404);
    assert.equal((await ask('DELETE', path)).status, 404);
    assert.equal((await ask('POST', EGRESSIPS, web)).status, 201);
    assert.equal((await ask('POST', EGRESSIPS, web)).status, 409);
    assert.equal((await ask('PATCH', path, { metadata: { uid: 'another' } })).status, 409);
    assert.equal((await ask('PATCH', path, { metadata: { resourceVersion: '0' } })).status, 409);
    assert.equal((await ask('PATCH', path, { status: {} })).status, 422);
    assert.equal((await ask('PATCH', path, { status: { items: [{}] } })).status, 422);
    assert.equal((await ask('PATCH', path, {}, 'unheard-of')).status, 415);
    assert.equal((await ask('PATCH', `${path}/status`, {})).status, 404);
    assert.equal((await ask('POST', EVENTS, { metadata: { name: 'e' } })).status, 422);
    assert.equal((await ask('DELETE', path, { preconditions: { uid: 'another' } })).status, 409);
    assert.equal((await ask('DELETE', path)).status, 200);
  });

  it('keeps status and the rest apart where there is a status subresource', async () => {
    const { cluster, ask } = openCluster(true);
    const status = { items: [{ egressIP: '10.0.0.1', node: 'a' }] };
    await ask('POST', EGRESSIPS, { ...web, status });
    assert.equal(valueAt(cluster.get(EGRESSIPS, 'web'), 'status'), undefined);
    await ask('PATCH', path, { status });
    assert.equal(valueAt(cluster.get(EGRESSIPS, 'web'), 'status'), undefined);
    await ask('PATCH', `${path}/status`, { status, metadata: { annotations: { owner: 'you' } } });
    const object = cluster.get(EGRESSIPS, 'web');
    assert.deepEqual(valueAt(object, 'status'), status);
    assert.deepEqual(valueAt(object, 'metadata', 'annotations'), { owner: 'me' });
    assert.equal(await cluster.hasStatusSubresource(EGRESSIPS, never), true);
  });
});
