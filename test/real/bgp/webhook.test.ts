/** The real admission webhook of frr-k8s: what it refuses, and what its absence looks like. */
import assert from 'node:assert/strict';
import type { ApiAnswer } from '../../controlplane/api.ts';
import { startControlPlane, type ControlPlane } from '../../controlplane/controlplane.ts';
import { eventually } from '../../controlplane/wait.ts';
import { check } from '../../frrk8s/check.ts';
import {
  type FrrConfiguration,
  frrConfiguration,
  frrConfigurations,
  type Labels,
} from '../../frrk8s/objects.ts';
import { type Case, table } from '../../frrk8s/table.ts';
import { applyFrrCrds } from './crds.ts';
import { describeRealBgp } from './describe.ts';
import { startWebhook, type Webhook } from './webhook.ts';

const soon = { withinMs: 30_000, everyMs: 10 };
const dryRun = `${frrConfigurations}?dryRun=All`;

/** An object that is refused exactly where it meets another one on a node. */
const rival = frrConfiguration('rival', { bgp: { routers: [{ asn: 4200000000 }] } });
/** An object that is refused exactly where there is a node with these labels. */
const faulty = (matchLabels: Labels): FrrConfiguration =>
  frrConfiguration('faulty', {
    nodeSelector: { matchLabels },
    bgp: { routers: [{ asn: 65001, neighbors: [{ address: '10.0.1.47' }] }] },
  });
const plain = frrConfiguration('plain', {
  bgp: { routers: [{ asn: 65001, neighbors: [{ address: '10.0.1.47', asn: 64512 }] }] },
});

describeRealBgp('the real webhook of frr-k8s', function (ground) {
  this.timeout(90_000);
  let plane: ControlPlane;
  let webhook: Webhook;

  const post = (path: string, object: FrrConfiguration): Promise<ApiAnswer> =>
    plane.api.call('POST', path, object);
  const answers = (object: FrrConfiguration, status: number): Promise<unknown> =>
    eventually(`${object.metadata.name} gives ${status}`, soon, async () => {
      return (await post(dryRun, object)).status === status;
    });
  /**
   * The webhook looks at the cluster through a cache, which is to have what the case begins with.
   */
  const settled = async ({ nodes, existing }: Case): Promise<void> => {
    for (const labels of Object.values(nodes)) await answers(faulty(labels), 403);
    await answers(rival, existing.length > 0 ? 403 : 201);
  };

  before(async () => {
    plane = await startControlPlane({ nats: false, crd: 'none' });
    await applyFrrCrds(plane.api, ground().source, 'mended');
    webhook = await startWebhook(ground(), plane);
  });
  after(async () => {
    await webhook?.stop();
    await plane?.stop();
  });

  for (const each of table)
    it(`answers as our double does to: ${each.name}`, () =>
      check(plane, each, { settled: () => settled(each) }));

  describe('with a node', () => {
    before(async () => {
      const metadata = { name: 'worker-1', labels: { zone: 'a' } };
      await plane.api.apply({ apiVersion: 'v1', kind: 'Node', metadata });
      await answers(faulty({ zone: 'a' }), 403);
    });
    afterEach(() => plane.api.delete(frrConfigurations));

    it('lets every write fail with 500 while it is down, and none after that', async () => {
      await webhook.child.kill();
      const { status, body } = await post(frrConfigurations, plain);
      assert.match(body.message, /failed calling webhook .*connection refused/);
      assert.equal(status, 500);
      await webhook.child.start();
      assert.equal((await post(frrConfigurations, plain)).status, 201);
    });

    it('is not even asked when the CRD is as released: every AS number gives 422', async () => {
      await applyFrrCrds(plane.api, ground().source, 'released');
      await answers(plain, 422);
      const { body } = await post(frrConfigurations, plain);
      assert.match(body.message, /with format int32 in spec\.bgp\.routers\[0\]\.asn/);
      await applyFrrCrds(plane.api, ground().source, 'mended');
      await answers(plain, 201);
    });
  });
});
