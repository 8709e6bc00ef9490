/** The double of frr-k8s' webhook as a real API server asks it. */
import assert from 'node:assert/strict';
import type { Api, ApiAnswer } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyUnmendedFrrCrd } from '../controlplane/crd.ts';
import { check } from './check.ts';
import {
  type FrrConfiguration,
  frrConfiguration,
  frrConfigurations,
  frrNamespace,
} from './objects.ts';
import { table } from './table.ts';
import { openWebhook, type WebhookDouble } from './webhook.ts';

const session = (name: string, asn: number): FrrConfiguration =>
  frrConfiguration(name, {
    bgp: { routers: [{ asn: 65001, neighbors: [{ address: '10.0.1.47', asn }] }] },
  });

describe('the webhook double of frr-k8s', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let api: Api;
  let webhook: WebhookDouble;
  before(async () => {
    plane = await startControlPlane({ nats: false, crd: 'none', platform: ['frrconfigurations'] });
    ({ api } = plane);
    await api.apply(frrNamespace);
    webhook = await openWebhook(api, { timeoutSeconds: 1 });
  });
  after(async () => {
    await webhook?.stop();
    await plane?.stop();
  });
  const post = (object: FrrConfiguration): Promise<ApiAnswer> =>
    api.call('POST', frrConfigurations, object);

  for (const each of table) it(`answers as frr-k8s to: ${each.name}`, () => check(plane, each));

  describe('with a node', () => {
    before(async () => {
      await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } });
      assert.equal((await post(session('first', 64512))).status, 201);
    });
    after(async () => {
      await api.delete(frrConfigurations);
      await api.delete('/api/v1/nodes/worker-1');
    });

    it('refuses an update as it refuses a create, and lets every delete pass', async () => {
      assert.equal((await post(session('second', 64512))).status, 201);
      const path = `${frrConfigurations}/second`;
      const { spec } = session('second', 64513);
      const answer = await api.call('PATCH', path, { spec }, 'application/merge-patch+json');
      assert.equal(answer.status, 403);
      assert.match(answer.body.message, /denied the request: multiple asns specified/);
      const asked = webhook.asked.length;
      await api.delete(path);
      assert.equal(webhook.asked.length, asked);
    });

    it('is asked by a dry run too, which changes nothing', async () => {
      const answer = await api.call(
        'POST',
        `${frrConfigurations}?dryRun=All`,
        session('dry', 64513),
      );
      assert.equal(answer.status, 403);
      assert.equal((await api.call('GET', `${frrConfigurations}/dry`)).status, 404);
    });

    it('does not look at an object until a node matches, and then it is too late', async () => {
      const late = session('late', 64513);
      const nodeSelector = { matchLabels: { late: 'yes' } };
      assert.equal((await post({ ...late, spec: { ...late.spec, nodeSelector } })).status, 201);
      await api.patch('/api/v1/nodes/worker-1', { metadata: { labels: { late: 'yes' } } });
      const { status } = await post(session('third', 64512));
      assert.equal(status, 403, 'the objects of the node do not go together any more');
      await api.delete(`${frrConfigurations}/late`);
      assert.equal((await post(session('third', 64512))).status, 201);
    });

    it('that is down makes the API server answer 500, and goes on where it was', async () => {
      await webhook.down();
      const { status, body } = await post(session('down', 64512));
      assert.equal(status, 500);
      assert.match(body.message, /failed calling webhook .* connection refused/);
      await webhook.up();
      assert.equal((await post(session('down', 64512))).status, 201);
    });

    it('that is slower than the API server waits makes it answer 500', async () => {
      webhook.slow(1_500);
      const { status, body } = await post(session('slow', 64512));
      webhook.slow(0);
      assert.equal(status, 500);
      assert.match(body.message, /failed calling webhook .* (deadline|timeout)/i);
      assert.equal((await post(session('slow', 64512))).status, 201);
    });

    it('denies with any text it is told', async () => {
      webhook.deny('not today');
      const { status, body } = await post(session('denied', 64512));
      webhook.deny(undefined);
      assert.equal(status, 403);
      assert.match(body.message, /denied the request: not today$/);
    });
  });

  // Last, for from then on no object is taken.
  describe('beside the schema of an older release', () => {
    it('is not asked, for the schema refuses every ASN', async () => {
      await applyUnmendedFrrCrd(api);
      const asked = webhook.asked.length;
      const { status, body } = await post(session('int32', 64512));
      assert.equal(status, 422);
      assert.match(
        body.message,
        /Maximum boundary value must be of type integer with format int32/,
      );
      assert.equal(webhook.asked.length, asked);
    });
  });
});
