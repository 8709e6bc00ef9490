/** The seed's samples on a real API server: to Ready, with the objects of the seed, and back. */
import assert from 'node:assert/strict';
import { type BgpHouse, openBgpHouse } from './bgp-house.ts';
import { config, namespace, routing } from './bgp-objects.ts';

const OURS = { 'app.kubernetes.io/managed-by': 'cudn-bgp-routing-operator' };
const ADVERTISED = { 'sluice.dev/advertised': 'true' };

describe('BGP routing on a real API server', function () {
  this.timeout(240_000);
  let house: BgpHouse;
  before(async () => {
    house = await openBgpHouse();
    for (const name of ['prod', 'staging']) await house.create(namespace(`app-${name}`, name));
  });
  after(() => house?.stop());

  it('brings a config to Ready: the Network patched, an FRRConfiguration per zone', async () => {
    await house.create(config());
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    const network = house.get('networks', 'cluster').spec;
    assert.deepEqual(network, {
      managementState: 'Managed',
      additionalRoutingCapabilities: { providers: ['FRR'] },
      defaultNetwork: {
        type: 'OVNKubernetes',
        ovnKubernetesConfig: { routeAdvertisements: 'Enabled' },
      },
    });
    assert.equal(house.names('frrconfigurations').length, 3);
    const own = house.get('cudnbgpconfigs', 'cluster');
    assert.deepEqual(own.metadata.finalizers, ['networking.openshift.io/cudnbgpconfig']);
    assert.equal(own.status.observedGeneration, own.metadata.generation);
    for (const [type, reason] of [
      ['NetworkOperatorPatched', 'Patched'],
      ['FRRNamespaceReady', 'Ready'],
      ['FRRConfigurationApplied', 'Applied'],
    ] as const) {
      const found = house.condition('cudnbgpconfigs', 'cluster', type);
      assert.deepEqual([found?.status, found?.reason], ['True', reason], type);
    }
  });

  it('makes the FRRConfiguration of a zone as the seed has it', () => {
    const all = house
      .names('frrconfigurations')
      .map((name) => house.get('frrconfigurations', name));
    const one = all.find(({ spec }) => JSON.stringify(spec).includes('10.0.1.47'));
    assert.deepEqual(one.metadata.labels, { ...OURS, ...ADVERTISED });
    assert.deepEqual(one.spec.nodeSelector.matchLabels, {
      ...{ bgp_router: 'true', bgp_router_subnet: '1' },
      'topology.kubernetes.io/zone': 'us-east-1a',
    });
    const [router, ...others] = one.spec.bgp.routers;
    assert.deepEqual([router.asn, others], [65_001, []]);
    assert.deepEqual(
      router.neighbors.map(({ address, asn, disableMP, toReceive }: Record<string, unknown>) => [
        ...[address, asn, disableMP, toReceive],
      ]),
      ['10.0.1.47', '10.0.1.183'].map((address) => [
        ...[address, 64_512, true, { allowed: { mode: 'all' } }],
      ]),
    );
  });

  it('brings a routing to Ready: its network, and the one RouteAdvertisements', async () => {
    await house.create(routing('cudn1', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn1', 'Ready');
    const network = house.get('clusteruserdefinednetworks', 'cluster-udn-prod');
    assert.deepEqual(network.metadata.labels, { ...OURS, ...ADVERTISED, advertise: 'true' });
    assert.deepEqual(network.spec.namespaceSelector, { matchLabels: { 'cluster-udn': 'prod' } });
    assert.equal(network.spec.network.topology, 'Layer2');
    assert.deepEqual(network.spec.network.layer2.subnets, ['10.100.0.0/16']);
    assert.equal(network.spec.network.layer2.role, 'Primary');
    assert.equal(network.spec.network.layer2.ipam.lifecycle, 'Persistent');
    const [shared, ...more] = house.names('routeadvertisements');
    assert.deepEqual([shared, more], ['cudn-bgp-route-advertisements', []]);
    const { spec, metadata } = house.get('routeadvertisements', shared ?? '');
    assert.deepEqual(metadata.labels, OURS);
    const selected = { matchLabels: ADVERTISED };
    const networks = { clusterUserDefinedNetworkSelector: { networkSelector: selected } };
    assert.deepEqual(spec, {
      nodeSelector: {},
      frrConfigurationSelector: selected,
      networkSelectors: [{ networkSelectionType: 'ClusterUserDefinedNetworks', ...networks }],
      advertisements: ['PodNetwork'],
    });
  });

  it('writes nothing at rest, and nothing when every room is started again', async () => {
    const before = await house.rest();
    await house.silent(before);
    await house.restart();
    await house.silent(before, 4_000);
  });

  it('undoes within two seconds what somebody did to any object of ours', async () => {
    const took = await drift(house);
    const late = took.toSorted((a, b) => b - a)[Math.floor(took.length / 100)] ?? 0;
    console.log(`      ${took.length} changes undone, p99 ${late} ms`);
    assert.ok(late < 2_000, `p99 ${late} ms`);
  });

  it('leaves no RouteAdvertisements when two routings are deleted together', async () => {
    await house.create(routing('cudn2', 'staging', '10.101.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn2', 'Ready');
    await Promise.all(['cudn1', 'cudn2'].map((name) => house.delete('cudnbgproutings', name)));
    await house.until('both are gone', () => house.names('cudnbgproutings').length === 0);
    await house.until('nothing of them is left', () => {
      const left = (['routeadvertisements', 'clusteruserdefinednetworks'] as const).flatMap(
        (plural) => house.names(plural),
      );
      return left.length === 0;
    });
  });

  it('has a config wait for the routings, says which, and goes then', async () => {
    await house.create(routing('cudn1', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn1', 'Ready');
    await house.delete('cudnbgpconfigs', 'cluster');
    const blocked = (): { status?: string; message?: string } | undefined =>
      house.condition('cudnbgpconfigs', 'cluster', 'DeletionBlocked');
    await house.until('it is said what it waits for', () => blocked()?.status === 'True');
    assert.match(blocked()?.message ?? '', /cudn1/);
    await house.delete('cudnbgproutings', 'cudn1');
    await house.until('the config is gone', () => house.names('cudnbgpconfigs').length === 0);
    assert.deepEqual(house.names('frrconfigurations'), []);
    assert.equal(
      house.get('networks', 'cluster').spec.defaultNetwork.ovnKubernetesConfig.routeAdvertisements,
      'Enabled',
      'the Network stays as it is',
    );
  });
});

/** Changes and deletes each kind of object again and again; how long each took to be undone. */
async function drift(house: BgpHouse): Promise<readonly number[]> {
  const [frr = ''] = house.names('frrconfigurations');
  const edits = [
    ['frrconfigurations', frr, { metadata: { labels: { 'sluice.dev/advertised': null } } }],
    ['frrconfigurations', frr, { spec: { nodeSelector: { matchLabels: { extra: 'yes' } } } }],
    ['frrconfigurations', frr, 'delete'],
    ['clusteruserdefinednetworks', 'cluster-udn-prod', { metadata: { labels: { advertise: '' } } }],
    [
      'routeadvertisements',
      'cudn-bgp-route-advertisements',
      { spec: { frrConfigurationSelector: { matchLabels: { extra: 'yes' } } } },
    ],
    ['routeadvertisements', 'cudn-bgp-route-advertisements', 'delete'],
    ['networks', 'cluster', { spec: { defaultNetwork: { ovnKubernetesConfig: null } } }],
  ] as const;
  const took: number[] = [];
  for (let round = 0; round < 6; round++)
    for (const [plural, name, edit] of edits) {
      const before = house.get(plural, name);
      const path = house.path(plural, name);
      if (edit === 'delete') await house.api.delete(path);
      else await house.api.patch(`${path}?fieldManager=somebody`, edit);
      const startedMs = performance.now();
      const home = JSON.stringify([before.metadata.labels, before.spec]);
      await house.until(`${plural}/${name} is as it was`, () => {
        const now = house.get(plural, name);
        if (now === undefined || now.metadata.resourceVersion === before.metadata.resourceVersion)
          return false;
        return JSON.stringify([now.metadata.labels, now.spec]) === home;
      });
      took.push(Math.round(performance.now() - startedMs));
    }
  return took;
}
