/** How the real API server answers what can go wrong with a write, and how that is judged. */
import assert from 'node:assert/strict';
import { kubeconfig } from '../../edge/kubeconfig.ts';
import { type OpenCluster, openCluster } from '../../edge/kubernetes/cluster.ts';
import { judge } from '../../services/publisher/routing-failure.ts';
import type { Api } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyPlatformCrds } from '../controlplane/crd.ts';
import { frrConfigurations, frrNamespace } from '../frrk8s/objects.ts';
import { advertisements } from '../ovnk/objects.ts';

const jsonPatch = 'application/json-patch+json';
const merge = 'application/merge-patch+json';

const frr = (name: string, asn: unknown = 65_001): object => ({
  apiVersion: 'frrk8s.metallb.io/v1beta1',
  kind: 'FRRConfiguration',
  metadata: { name, namespace: 'openshift-frr-k8s', finalizers: ['example.com/hold'] },
  spec: { bgp: { routers: [{ asn }] } },
});

describe('a write on a real API server', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let api: Api;
  let cluster: OpenCluster;
  const path = `${frrConfigurations}/az-a`;

  before(async () => {
    plane = await startControlPlane({ nats: false, platform: ['frrconfigurations'] });
    ({ api } = plane);
    cluster = openCluster(await kubeconfig(plane.kubeconfig));
    await api.apply(frrNamespace);
    await api.call('POST', frrConfigurations, frr('az-a'));
  });
  after(async () => {
    await cluster?.close();
    await plane?.stop();
  });

  async function judged(
    method: 'POST' | 'PATCH' | 'DELETE',
    where: string,
    body: unknown,
    type = 'application/json',
  ): Promise<string> {
    const request = { method, path: where, contentType: type, body };
    const answer = await cluster.request(request, AbortSignal.timeout(30_000));
    const { result, failing } = judge(answer, method);
    return failing === '' ? result : `${result} ${failing}`;
  }

  const test = (at: string, value: unknown): object => ({ op: 'test', path: at, value });
  const spec = { op: 'replace', path: '/spec', value: { bgp: { routers: [{ asn: 7 }] } } };

  it('of what is there already is stale', async () => {
    assert.equal(await judged('POST', frrConfigurations, frr('az-a')), 'stale');
  });

  it('to another object of the name is gone, by patch, by merge and by delete', async () => {
    const patch = [test('/metadata/uid', 'another'), spec];
    assert.equal(await judged('PATCH', path, patch, jsonPatch), 'gone');
    const merged = { metadata: { uid: 'another' }, spec: {} };
    assert.equal(await judged('PATCH', path, merged, merge), 'gone');
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'another' } };
    assert.equal(await judged('DELETE', path, body), 'stale');
  });

  it('that the schema refuses is invalid, whatever the object is called', async () => {
    assert.equal(
      await judged('POST', frrConfigurations, frr('testing-path', 'x')),
      'refused invalid',
    );
    const patch = [{ op: 'replace', path: '/spec', value: { bgp: { routers: 5 } } }];
    assert.equal(await judged('PATCH', path, patch, jsonPatch), 'refused invalid');
  });

  it('to an object that is being deleted is gone, and done where it is not', async () => {
    const living = [test('/metadata/deletionTimestamp', null), spec];
    assert.equal(await judged('PATCH', path, living, jsonPatch), 'done');
    await api.delete(path);
    assert.equal(await judged('PATCH', path, living, jsonPatch), 'gone');
    const free = { metadata: { finalizers: null } };
    assert.equal(await judged('PATCH', path, free, merge), 'done');
    assert.equal(await judged('PATCH', path, living, jsonPatch), 'gone');
    assert.equal(await judged('DELETE', path, {}), 'gone');
  });

  it('of a kind that is not served waits until it is', async () => {
    const body = {
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'RouteAdvertisements',
      metadata: { name: 'x' },
    };
    assert.equal(await judged('POST', advertisements, body), 'failed unserved');
    await applyPlatformCrds(api, ['routeadvertisements']);
    assert.notEqual(await judged('POST', advertisements, body), 'failed unserved');
  });

  it('into a namespace that is not there counts the same', async () => {
    const elsewhere = frrConfigurations.replace('openshift-frr-k8s', 'nowhere');
    const body = { ...frr('x'), metadata: { name: 'x', namespace: 'nowhere' } };
    assert.equal(await judged('POST', elsewhere, body), 'failed unserved');
  });
});
