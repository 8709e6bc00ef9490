/** What a CUDNBgpConfig and a CUDNBgpRouting may say, as the API server enforces it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Api, ApiAnswer } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { findTools } from '../controlplane/tools.ts';
import {
  acceptedConfigs,
  acceptedRoutings,
  aws,
  explicit,
  network,
  onAws,
  refusedConfigs,
  refusedRoutings,
} from './crds-bgp-cases.ts';

const apiVersion = 'networking.openshift.io/v1alpha1';
const configs = `/apis/${apiVersion}/cudnbgpconfigs`;
const routings = `/apis/${apiVersion}/cudnbgproutings`;

describe('the custom resources of BGP routing', function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let api: Api;
  before(async () => {
    plane = await startControlPlane({ nats: false });
    ({ api } = plane);
  });
  after(() => plane?.stop());

  const post = (collection: string, name: string, spec: unknown): Promise<ApiAnswer> => {
    const kind = collection === configs ? 'CUDNBgpConfig' : 'CUDNBgpRouting';
    const object = { apiVersion, kind, metadata: { name }, spec };
    return api.call('POST', `${collection}?fieldValidation=Strict`, object);
  };
  const accepts = async (collection: string, name: string, spec: object): Promise<void> => {
    const { status, body } = await post(collection, name, spec);
    assert.equal(status, 201, body.message);
    await api.delete(`${collection}/${name}`);
  };
  const refuses = async (
    collection: string,
    name: string,
    spec: object | undefined,
    why: RegExp,
  ): Promise<void> => {
    const { status, body } = await post(collection, name, spec);
    assert.equal(status, 422, 'it was taken');
    assert.match(body.message, why);
  };

  describe('a CUDNBgpConfig', () => {
    for (const [what, spec] of acceptedConfigs)
      it(`may say: ${what}`, () => accepts(configs, 'cluster', spec));
    for (const [what, spec, why] of refusedConfigs)
      it(`may not say: ${what}`, () => refuses(configs, 'cluster', spec, why));

    it('is named cluster and nothing else', () =>
      refuses(configs, 'other', explicit, /is named "cluster"/));

    it('is given the defaults that people leave out', async () => {
      const { body } = await post(configs, 'cluster', onAws);
      assert.equal(body.spec.bgp.livenessDetection, 'bgp-keepalive');
      assert.deepEqual(body.spec.aws, {
        ...aws,
        adoptionPolicy: 'IfMatches',
        sourceDestCheckScope: 'RouterNodes',
        restoreSourceDestCheck: false,
      });
      assert.equal(body.spec.bgp.connectTime, undefined);
      await api.delete(`${configs}/cluster`);
    });

    it('keeps a status of its own, which no write to the spec touches', async () => {
      await post(configs, 'cluster', onAws);
      const endpoint = {
        endpointID: 'rse-0abc1111',
        availabilityZone: 'us-east-1a',
        address: '10.0.1.47',
      };
      const found = { routeServerID: 'rs-1', remoteASN: 4200000000, endpoints: [endpoint] };
      const status = {
        phase: 'Ready',
        observedGeneration: 1,
        conditions: [condition('SessionsEstablished'), condition('NetworkOperatorPatched')],
        aws: { routeServers: [found] },
      };
      const written = await api.patch(`${configs}/cluster/status`, { status });
      assert.equal(written.metadata.generation, 1);
      const spec = { bgp: { localASN: 65002 } };
      const edited = await api.patch(`${configs}/cluster`, { spec, status: { phase: 'Pending' } });
      assert.equal(edited.metadata.generation, 2);
      assert.deepEqual(edited.status, status);
      const [head, row] = (await shown('cudnbgpconfigs')).split('\n');
      assert.match(head ?? '', /^NAME +PHASE +SESSIONS +LOCAL ASN +LIVENESS +AGE$/);
      assert.match(row ?? '', /^cluster +Ready +True +65002 +bgp-keepalive +\d+s$/);
      await api.delete(`${configs}/cluster`);
    });
  });

  describe('a CUDNBgpRouting', () => {
    for (const [what, spec] of acceptedRoutings)
      it(`may say: ${what}`, () => accepts(routings, 'cudn1', spec));
    for (const [what, spec, why] of refusedRoutings)
      it(`may not say: ${what}`, () => refuses(routings, 'cudn1', spec, why));

    it('keeps the name of its network, and may be told other subnets', async () => {
      await post(routings, 'cudn1', network('prod', '10.100.0.0/16'));
      const other = { spec: network('test', '10.100.0.0/16') };
      const { status, body } = await api.call('PATCH', `${routings}/cudn1`, other, mergePatch);
      assert.equal(status, 422);
      assert.match(body.message, /the name of a network cannot be changed/);
      const edited = await api.patch(`${routings}/cudn1`, { spec: network('prod', '10.9.0.0/16') });
      assert.deepEqual(edited.spec.network.subnets, ['10.9.0.0/16']);
      await api.delete(`${routings}/cudn1`);
    });

    it('keeps a status with one condition of each type', async () => {
      await post(routings, 'cudn1', network('prod', '10.100.0.0/16'));
      const conditions = [condition('CUDNCreated'), condition('RouteAdvertisementsCreated')];
      const status = { phase: 'Ready', observedGeneration: 1, conditions };
      const written = await api.patch(`${routings}/cudn1/status`, { status });
      assert.deepEqual(written.status, status);
      const twice = { status: { conditions: [conditions[0], conditions[0]] } };
      const answer = await api.call('PATCH', `${routings}/cudn1/status`, twice, mergePatch);
      assert.equal(answer.status, 422);
      assert.match(answer.body.message, /Duplicate value: .*CUDNCreated/);
      const [head, row] = (await shown('cudnbgproutings')).split('\n');
      assert.match(head ?? '', /^NAME +NETWORK +PHASE +SUBNETS +AGE$/);
      assert.match(row ?? '', /^cudn1 +prod +Ready +\["10\.100\.0\.0\/16"\] +\d+s$/);
      await api.delete(`${routings}/cudn1`);
    });

    it('has no phase but those four', async () => {
      await post(routings, 'cudn1', network('prod', '10.100.0.0/16'));
      const path = `${routings}/cudn1/status`;
      for (const phase of ['Pending', 'Configuring', 'Ready', 'Degraded'])
        assert.equal((await api.patch(path, { status: { phase } })).status.phase, phase);
      const bad = await api.call('PATCH', path, { status: { phase: 'Fine' } }, mergePatch);
      assert.equal(bad.status, 422);
      await api.delete(`${routings}/cudn1`);
    });
  });

  for (const kind of ['cudnbgpconfigs', 'cudnbgproutings'])
    it(`tells of every field of ${kind} what it is for`, async () => {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const crd = await api.get(`${path}/${kind}.networking.openshift.io`);
      assert.deepEqual(silent(crd.spec.versions[0].schema.openAPIV3Schema, ''), ['.metadata']);
    });

  /** What `kubectl get` prints. */
  async function shown(plural: string): Promise<string> {
    const kubectl = (await findTools(['kubectl'])).get('kubectl') ?? '';
    const args = ['--kubeconfig', plane.kubeconfig, 'get', plural, '-o', 'wide'];
    return execFileSync(kubectl, args, { encoding: 'utf8' });
  }
});

const mergePatch = 'application/merge-patch+json';

const condition = (type: string): object => ({
  type,
  status: 'True',
  reason: 'Applied',
  message: 'all is as it should be',
  lastTransitionTime: '2026-01-02T03:04:05Z',
  observedGeneration: 1,
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The fields of a schema that have no description. */
function silent({ description, properties, items }: Schema, path: string): string[] {
  const own = description === undefined ? [path] : [];
  const below = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    return silent(field, `${path}.${name}`);
  });
  return [...own, ...below, ...(items ? silent(items, `${path}[]`) : [])];
}
