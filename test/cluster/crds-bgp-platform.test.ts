/** The kinds of frr-k8s, OVN-Kubernetes and OpenShift that BGP is made of, as tests have them. */
import assert from 'node:assert/strict';
import type { Api, ApiAnswer, ApiObject } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyPlatformCrds } from '../controlplane/crd.ts';
import { advertisements, networks } from '../ovnk/objects.ts';

const operators = '/apis/operator.openshift.io/v1/networks';
const merge = 'application/merge-patch+json';

const object = (apiVersion: string, kind: string, name: string, spec: object): ApiObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

const operator = (spec: object): ApiObject =>
  object('operator.openshift.io/v1', 'Network', 'cluster', spec);
const layer2 = { role: 'Primary', subnets: ['10.100.0.0/16'], ipam: { lifecycle: 'Persistent' } };
const cudn = (fields: object, topology = 'Layer2'): ApiObject =>
  object('k8s.ovn.org/v1', 'ClusterUserDefinedNetwork', 'prod', {
    namespaceSelector: {},
    network: { topology, layer2: { ...layer2, ...fields } },
  });
const ra = (fields: object): ApiObject =>
  object('k8s.ovn.org/v1', 'RouteAdvertisements', 'shared', {
    nodeSelector: {},
    frrConfigurationSelector: {},
    networkSelectors: [{ networkSelectionType: 'DefaultNetwork' }],
    advertisements: ['PodNetwork'],
    ...fields,
  });

const enabled = { ovnKubernetesConfig: { routeAdvertisements: 'Enabled' } };
const providers = (...names: string[]): object => ({
  additionalRoutingCapabilities: { providers: names },
});

const accepted: readonly (readonly [what: string, ApiObject])[] = [
  ['an operator that was told nothing', operator({})],
  ['FRR alone', operator(providers('FRR'))],
  ['FRR and route advertisements', operator({ ...providers('FRR'), defaultNetwork: enabled })],
  [
    'settings that are none of ours',
    operator({ managementState: 'Managed', defaultNetwork: { type: 'OVNKubernetes' } }),
  ],
  ['a network as it is made for a CUDNBgpRouting', cudn({})],
  ['a network of both families', cudn({ subnets: ['10.100.0.0/16', '2001:db8::/64'] })],
  ['RouteAdvertisements of the default network', ra({})],
];

const refused: readonly (readonly [what: string, ApiObject, why: RegExp])[] = [
  ['route advertisements without FRR', operator({ defaultNetwork: enabled }), /cannot be Enabled/],
  ['no provider', operator(providers()), /providers.*at least 1 item/],
  ['another provider', operator(providers('BIRD')), /Unsupported value: "BIRD"/],
  ['two providers', operator(providers('FRR', '')), /providers.*must have at most 1 item/],
  ['a subnet that is none', cudn({ subnets: ['x'] }), /CIDR is invalid/],
  [
    'two subnets of a family',
    cudn({ subnets: ['10.1.0.0/16', '10.2.0.0/16'] }),
    /different IP families/,
  ],
  ['no subnets', cudn({ subnets: undefined }), /Subnets is required/],
  ['layer2 for another topology', cudn({}, 'Layer3'), /layer2 is required when topology is Layer2/],
  [
    'PodNetwork of some nodes only',
    ra({ nodeSelector: { matchLabels: { a: 'b' } } }),
    /needs to be advertised on all nodes/,
  ],
  [
    'networks that cannot be advertised',
    ra({ networkSelectors: [{ networkSelectionType: 'NetworkAttachmentDefinitions' }] }),
    /Only DefaultNetwork or ClusterUserDefinedNetworks/,
  ],
  [
    'networks without a selector',
    ra({ networkSelectors: [{ networkSelectionType: 'ClusterUserDefinedNetworks' }] }),
    /clusterUserDefinedNetworkSelector is required/,
  ],
];

describe('the platform under BGP routing', function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let api: Api;
  before(async () => {
    plane = await startControlPlane({ nats: false, crd: 'none', platform: ['networks'] });
    ({ api } = plane);
    const later = await api.call('GET', networks);
    assert.equal(later.status, 404, 'a test may start without some kinds');
    await applyPlatformCrds(api);
  });
  after(() => plane?.stop());

  const collectionOf = ({ kind }: ApiObject): string =>
    kind === 'Network' ? operators : kind === 'RouteAdvertisements' ? advertisements : networks;
  const post = (wanted: ApiObject): Promise<ApiAnswer> =>
    api.call('POST', `${collectionOf(wanted)}?dryRun=All&fieldValidation=Strict`, wanted);

  for (const [what, wanted] of accepted)
    it(`takes ${what}`, async () => {
      const { status, body } = await post(wanted);
      assert.equal(status, 201, body.message);
    });
  for (const [what, wanted, why] of refused)
    it(`refuses ${what}`, async () => {
      const { status, body } = await post(wanted);
      assert.equal(status, 422, 'it was taken');
      assert.match(body.message, why);
    });

  it('enables FRR and route advertisements in one patch, and not one after the other', async () => {
    await api.apply(operator({ defaultNetwork: { type: 'OVNKubernetes' } }));
    const path = `${operators}/cluster`;
    const late = await api.call('PATCH', path, { spec: { defaultNetwork: enabled } }, merge);
    assert.equal(late.status, 422);
    const spec = { ...providers('FRR'), defaultNetwork: enabled };
    const patched = await api.patch(path, { spec });
    assert.equal(patched.spec.defaultNetwork.type, 'OVNKubernetes');
  });

  it('keeps a status apart for all but the network operator', async () => {
    await api.apply(cudn({}));
    await api.apply(ra({}));
    const status = { status: { conditions: [] } };
    for (const path of [`${networks}/prod`, `${advertisements}/shared`])
      await api.patch(`${path}/status`, status);
    const answer = await api.call('PATCH', `${operators}/cluster/status`, status, merge);
    assert.equal(answer.status, 404);
  });
});
