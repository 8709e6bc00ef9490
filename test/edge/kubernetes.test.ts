/** The door to the Kubernetes API, and the EgressIP CRD, on a real kube-apiserver. */
import assert from 'node:assert/strict';
import type { KubeAnswer, KubeRequest, Sighting } from '../../core/door.ts';
import { kubeconfig } from '../../edge/kubeconfig.ts';
import { type OpenCluster, openCluster } from '../../edge/kubernetes/cluster.ts';
import { field, text } from '../../edge/kubernetes/json.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyCrds, chartCrds } from '../controlplane/crd.ts';
import { brief, egressIPs } from './kubernetes-setting.ts';

const patient = new AbortController().signal;
const merge = 'application/merge-patch+json';
const defaultSelector = {
  matchExpressions: [{ key: 'k8s.ovn.org/egress-assignable', operator: 'Exists' }],
};

describe('the door to a real Kubernetes API', function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let cluster: OpenCluster;
  const stop = new AbortController();
  let sightings: AsyncIterator<readonly Sighting[]>;

  const see = async (): Promise<readonly string[]> => brief((await sightings.next()).value);
  const write = (request: KubeRequest): Promise<KubeAnswer> => cluster.request(request, patient);
  const patch = (name: string, contentType: string, body: unknown): Promise<KubeAnswer> =>
    write({ method: 'PATCH', path: `${egressIPs}/${name}`, contentType, body });
  const create = (name: string, spec: object): Promise<KubeAnswer> =>
    write({
      method: 'POST',
      path: egressIPs,
      contentType: 'application/json',
      body: { apiVersion: 'k8s.ovn.org/v1', kind: 'EgressIP', metadata: { name }, spec },
    });

  before(async () => {
    plane = await startControlPlane({ nats: false, crd: 'none' });
    cluster = openCluster({ ...(await kubeconfig(plane.kubeconfig)), absentMs: 100 });
    sightings = cluster.watch(egressIPs, stop.signal)[Symbol.asyncIterator]();
  });
  after(async () => {
    stop.abort();
    await cluster.close();
    await plane.stop();
  });

  it('sees that EgressIP is not served, and its objects as soon as it is', async () => {
    assert.deepEqual(await see(), ['NotServed']);
    const listed = see();
    for (const crd of chartCrds('plain')) {
      if (crd.spec.names.plural !== 'egressips') continue;
      const versions = structuredClone(crd.spec.versions);
      for (const version of versions) delete selectorOf(version)['default'];
      await plane.api.apply({ ...crd, spec: { ...crd.spec, versions } });
    }
    assert.deepEqual(await listed, ['Listed 0']);
    const created = await create('old', { egressIPs: ['10.0.1.9'], namespaceSelector: {} });
    assert.equal(created.status, 201);
    assert.equal(field(created.body, 'spec', 'egressNodeSelector'), undefined);
    const { resourceVersion } = field(created.body, 'metadata') as { resourceVersion: string };
    assert.deepEqual(await see(), [`Put old ${resourceVersion}`]);
  });

  it('reads the default selector even of objects that are older than the field', async () => {
    await applyCrds(plane.api, 'plain');
    const old = await cluster.get(`${egressIPs}/old`, patient);
    assert.deepEqual(field(old.body, 'spec', 'egressNodeSelector'), defaultSelector);
  });

  it('gets the default selector where none is given, and keeps an empty one', async () => {
    const spec = { egressIPs: ['10.0.1.10'], namespaceSelector: {} };
    const web = await create('web', spec);
    assert.deepEqual(field(web.body, 'spec', 'egressNodeSelector'), defaultSelector);
    const all = await create('all', { ...spec, egressNodeSelector: {} });
    assert.deepEqual(field(all.body, 'spec', 'egressNodeSelector'), {});
    assert.equal((await create('bad', { egressIPs: ['10.0.1.11'] })).status, 422);
    assert.equal((await create('none', { ...spec, egressIPs: [] })).status, 201);
  });

  it('may not set the items of a status to null, nor leave half of one out', async () => {
    const status = (items: unknown): Promise<KubeAnswer> =>
      patch('web', merge, { status: { items } });
    // In a merge patch null means to remove, and without items there may be no status.
    assert.equal((await status(null)).status, 422);
    const jsonPatch = [{ op: 'add', path: '/status', value: { items: null } }];
    assert.equal((await patch('web', 'application/json-patch+json', jsonPatch)).status, 422);
    assert.equal((await status([{ egressIP: '10.0.1.10' }])).status, 422);
    assert.equal((await status([])).status, 200);
    const written = await status([{ egressIP: '10.0.1.10', node: 'worker-1' }]);
    const items = [{ egressIP: '10.0.1.10', node: 'worker-1' }];
    assert.deepEqual(field(written.body, 'status', 'items'), items);
  });

  it('is refused a patch that was meant for a namesake', async () => {
    const merged = { metadata: { uid: 'another' }, status: { items: [] } };
    const byMerge = await patch('web', merge, merged);
    assert.equal(byMerge.status, 422);
    assert.match(byMerge.message, /uid/);
    const tested = [
      { op: 'test', path: '/metadata/uid', value: 'another' },
      { op: 'add', path: '/status', value: { items: [] } },
    ];
    assert.equal((await patch('web', 'application/json-patch+json', tested)).status, 422);
    assert.equal((await patch('nobody', merge, merged)).status, 404);
    const web = await cluster.get(`${egressIPs}/web`, patient);
    const uid = text(web.body, 'metadata', 'uid');
    assert.equal(
      (await patch('web', merge, { metadata: { uid }, status: { items: [] } })).status,
      200,
    );
  });

  it('learns whether EgressIP has a status subresource', async () => {
    assert.equal(await cluster.hasStatusSubresource(egressIPs, patient), false);
    await applyCrds(plane.api, 'status');
    const path = `${egressIPs}/web/status`;
    const found = async (): Promise<number> => (await cluster.get(path, patient)).status;
    while ((await found()) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await cluster.hasStatusSubresource(egressIPs, patient), true);
    assert.equal(await cluster.hasStatusSubresource('/api/v1/nodes', patient), true);
  });

  it('trusts only the certificate that it was told to trust', async () => {
    const { server, token } = plane;
    const authorization = async (): Promise<string> => `Bearer ${token}`;
    const stranger = openCluster({ server, authorization });
    const answer = await stranger.get('/version', patient);
    assert.equal(answer.status, 0);
    assert.match(answer.message, /certificate/);
    await stranger.close();
    const careless = openCluster({ server, authorization, insecure: true });
    assert.equal((await careless.get('/version', patient)).status, 200);
    await careless.close();
  });
});

function selectorOf(version: unknown): Record<string, unknown> {
  const path = ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
  return field(version, ...path, 'egressNodeSelector') as Record<string, unknown>;
}
