/** The cloud controller simulator on a real API server. */
import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { type RunningCloud, startCloud } from './cloud-controller.ts';
import { type ControlPlane, startControlPlane } from './controlplane.ts';
import { setPlatform } from './crd.ts';
import { eventually } from './wait.ts';

const claims = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
const apiVersion = 'cloud.network.openshift.io/v1';
const kind = 'CloudPrivateIPConfig';

describe('the cloud controller on a real API server', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let api: Api;
  let running: RunningCloud;
  before(async () => {
    plane = await startControlPlane({ nats: false, cloud: true });
    ({ api } = plane);
    running = await startCloud(plane.kubeconfig, { delayMs: 50 });
    for (const name of ['a', 'b'])
      await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  });
  after(async () => {
    await running?.stop();
    await plane?.stop();
  });

  const isOn = (name: string, node: string): Promise<unknown> =>
    eventually(`${name} is on ${node}`, { withinMs: 10_000 }, async () => {
      const { status } = await api.get(`${claims}/${name}`);
      return status?.node === node && status.conditions[0].status === 'True';
    });

  const isGone = (name: string): Promise<unknown> =>
    eventually(`${name} is gone`, { withinMs: 10_000 }, async () => {
      return (await api.call('GET', `${claims}/${name}`)).status === 404;
    });

  for (const name of ['10.0.0.100', 'fc00.f853.0ccd.e793.0000.0000.0000.0054'])
    it(`assigns, moves and releases ${name}`, async () => {
      await api.apply({ apiVersion, kind, metadata: { name }, spec: { node: 'a' } });
      await isOn(name, 'a');
      await api.patch(`${claims}/${name}`, { spec: { node: 'b' } });
      await isOn(name, 'b');
      assert.equal(running.cloud.addresses.get(name), 'b');
      await api.delete(`${claims}/${name}`);
      const { metadata } = await api.get(`${claims}/${name}`);
      assert.ok(metadata.deletionTimestamp, 'it stays until the cloud has released the address');
      await isGone(name);
      assert.equal(running.cloud.addresses.has(name), false);
    });

  it('goes on where it was when it is started again', async () => {
    const name = '10.0.0.101';
    await running.stop();
    await api.apply({ apiVersion, kind, metadata: { name }, spec: { node: 'a' } });
    running.start();
    await isOn(name, 'a');
    await running.stop();
    await api.delete(`${claims}/${name}`);
    running.start();
    await isGone(name);
  });

  it('is refused a name that is no address, by the schema', async () => {
    const body = { apiVersion, kind, metadata: { name: 'fc00.1' }, spec: { node: 'a' } };
    assert.equal((await api.call('POST', claims, body)).status, 422);
  });

  it('has an Infrastructure that says where the cluster runs', async () => {
    await setPlatform(api, 'Azure');
    const { status } = await api.get('/apis/config.openshift.io/v1/infrastructures/cluster');
    assert.equal(status.platformStatus.type, 'Azure');
  });
});
