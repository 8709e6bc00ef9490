/** The double of OVN-Kubernetes on a real API server, beside the webhook of frr-k8s. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Watched } from '../cluster/watched.ts';
import type { Api, ApiAnswer } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { eventually } from '../controlplane/wait.ts';
import {
  type FrrConfiguration,
  frrConfiguration,
  frrConfigurations,
  frrNamespace,
  type Neighbor,
} from '../frrk8s/objects.ts';
import { openWebhook, type WebhookDouble } from '../frrk8s/webhook.ts';
import { applyNamespaceLabelPolicy } from './admission.ts';
import { advertisements, type Condition, namespaces, networks, PROTECTION } from './objects.ts';
import { openOvnk, type OvnkDouble } from './ovnk.ts';

const soon = { withinMs: 20_000 };
const own = { 'sluice.io/own': 'yes' };

const network = (name: string, subnets: readonly string[], selector: object = {}) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: `cluster-udn-${name}`, labels: { advertise: 'true' } },
  spec: {
    namespaceSelector: { matchLabels: { 'cluster-udn': name }, ...selector },
    network: {
      topology: 'Layer2',
      layer2: { role: 'Primary', ipam: { lifecycle: 'Persistent' }, subnets },
    },
  },
});

const ra = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'RouteAdvertisements',
  metadata: { name: 'shared' },
  spec: {
    nodeSelector: {},
    frrConfigurationSelector: { matchLabels: own },
    networkSelectors: [
      {
        networkSelectionType: 'ClusterUserDefinedNetworks',
        clusterUserDefinedNetworkSelector: {
          networkSelector: { matchLabels: { advertise: 'true' } },
        },
      },
    ],
    advertisements: ['PodNetwork'],
  },
};

const neighbor: Neighbor = {
  address: '10.0.1.47',
  asn: 64512,
  disableMP: true,
  toReceive: { allowed: { mode: 'all' } },
};
const source = (fields: Partial<Neighbor> = {}, labels = own): FrrConfiguration =>
  frrConfiguration(
    'zone-a',
    { bgp: { routers: [{ asn: 65001, neighbors: [{ ...neighbor, ...fields }] }] } },
    { labels },
  );

describe('the double of OVN-Kubernetes', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let api: Api;
  let ovnk: OvnkDouble;
  let webhook: WebhookDouble;
  let configs: Watched<FrrConfiguration & { metadata: { uid: string; resourceVersion: string } }>;
  before(async () => {
    plane = await startControlPlane({ nats: false, crd: 'none', platform: 'all' });
    ({ api } = plane);
    await api.apply(frrNamespace);
    for (const name of ['worker-1', 'worker-2']) {
      const labels = { 'kubernetes.io/hostname': name };
      await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    }
    configs = (await new Watched(plane, frrConfigurations).start()) as typeof configs;
    webhook = await openWebhook(api);
    ovnk = openOvnk(plane);
  });
  after(async () => {
    configs?.stop();
    await ovnk?.stop();
    await webhook?.stop();
    await plane?.stop();
  });

  const namespace = (name: string, labels: Readonly<Record<string, string>>): Promise<unknown> =>
    api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  const primary = { 'k8s.ovn.org/primary-user-defined-network': '' };
  const condition = (path: string, wanted: Partial<Condition>, says = /./): Promise<ApiAnswer> => {
    let last = '';
    const detail = (): string => `: ${last}`;
    const what = `${path} says ${Object.values(wanted).join(', ')}`;
    return eventually(what, { ...soon, detail }, async () => {
      const answer = await api.call('GET', path);
      const [found] = (answer.body.status?.conditions ?? []) as Condition[];
      last = JSON.stringify(found);
      if (found === undefined || !says.test(found.message)) return undefined;
      return isDeepStrictEqual({ ...found, ...wanted }, found) ? answer : undefined;
    });
  };
  const gone = (path: string): Promise<unknown> =>
    eventually(`${path} is gone`, soon, async () => (await api.call('GET', path)).status === 404);
  /** `shared/zone-a/worker-1` of each that there is. */
  const generated = (): string[] =>
    [...configs.objects.values()]
      .flatMap(({ metadata }) => metadata.annotations?.['k8s.ovn.org/route-advertisements'] ?? [])
      .sort();
  const generates = (...wanted: string[]): Promise<unknown> =>
    eventually(`it generates ${wanted.join(', ') || 'nothing'}`, soon, () => {
      return JSON.stringify(generated()) === JSON.stringify(wanted);
    });
  const forWorkers = ['shared/zone-a/worker-1', 'shared/zone-a/worker-2'];

  describe('with a network', () => {
    const prod = `${networks}/cluster-udn-prod`;
    afterEach(async () => {
      const answer = await api.call('GET', prod);
      if (answer.status !== 404) await api.delete(prod);
      await gone(prod);
    });

    it('creates it in the namespaces that it selects, and protects it', async () => {
      await namespace('app1', { ...primary, 'cluster-udn': 'prod' });
      await api.apply(network('prod', ['10.100.0.0/16']));
      const { body } = await condition(prod, { status: 'True' }, /following namespaces: \[app1\]$/);
      assert.deepEqual(body.metadata.finalizers, [PROTECTION]);
      assert.equal(body.status.conditions[0].reason, 'NetworkAttachmentDefinitionCreated');
    });

    it('names the namespace that lacks the label, and serves the others', async () => {
      await namespace('app2', { 'cluster-udn': 'prod' });
      await api.apply(network('prod', ['10.100.0.0/16']));
      const wanted = { status: 'False', reason: 'NetworkAttachmentDefinitionSyncError' } as const;
      await condition(prod, wanted, /^namespace app2: /);
      await api.patch(`${namespaces}/app2`, { metadata: { labels: { 'cluster-udn': null } } });
      await condition(prod, { status: 'True' }, /\[app1\]$/);
    });

    it('gives a namespace one primary network, that of the older object', async () => {
      await api.apply(network('prod', ['10.100.0.0/16']));
      await condition(prod, { status: 'True' });
      const other = `${networks}/cluster-udn-rival`;
      await api.apply(
        network('rival', ['10.200.0.0/16'], { matchLabels: { 'cluster-udn': 'prod' } }),
      );
      // Of two in one second the name decides.
      await condition(
        other,
        { status: 'False' },
        /app1: primary network already exists: cluster-udn-prod/,
      );
      await api.delete(other);
      await gone(other);
    });

    it('lets nobody change it, but its namespaces', async () => {
      await api.apply(network('prod', ['10.100.0.0/16']));
      const layer2 = { subnets: ['10.101.0.0/16'] };
      const merge = 'application/merge-patch+json';
      const patch = { spec: { network: { layer2 } } };
      const { status, body } = await api.call('PATCH', prod, patch, merge);
      assert.equal(status, 422);
      assert.match(body.message, /Layer2 is immutable/);
      await api.patch(prod, { spec: { namespaceSelector: { matchLabels: { team: 'x' } } } });
    });

    it('keeps a deleted one while a pod uses it', async () => {
      await api.apply(network('prod', ['10.100.0.0/16']));
      await condition(prod, { status: 'True' });
      const pod = { name: 'web', namespace: 'app1' };
      const spec = {
        containers: [{ name: 'web', image: 'web' }],
        automountServiceAccountToken: false,
      };
      await api.apply({ apiVersion: 'v1', kind: 'Pod', metadata: pod, spec });
      await api.delete(prod);
      await condition(prod, { status: 'False' }, /in use by the following pods: \[app1\/web\]/);
      await api.delete(`${namespaces}/app1/pods/web?gracePeriodSeconds=0`);
      await gone(prod);
    });

    it('keeps a deleted one for as long as it is told to', async () => {
      ovnk.hold('cluster-udn-prod', true);
      await api.apply(network('prod', ['10.100.0.0/16']));
      await condition(prod, { status: 'True' });
      await api.delete(prod);
      await condition(prod, { status: 'False' }, /in use/);
      ovnk.hold('cluster-udn-prod', false);
      await gone(prod);
    });

    it('says that it failed when it is told to, and nothing at all when it is mute', async () => {
      ovnk.fail('cluster-udn-prod', 'something is wrong');
      await api.apply(network('prod', ['10.100.0.0/16']));
      await condition(prod, { status: 'False', reason: 'SyncError' }, /^something is wrong$/);
      ovnk.mute(true);
      ovnk.fail('cluster-udn-prod', undefined);
      // The protection comes back, which shows that it was looked at again.
      await api.patch(prod, { metadata: { finalizers: [] } });
      await eventually('it is protected', soon, async () => {
        return (await api.get(prod)).metadata.finalizers?.includes(PROTECTION);
      });
      assert.equal((await api.get(prod)).status.conditions[0].status, 'False');
      ovnk.mute(false);
      await condition(prod, { status: 'True' });
    });
  });

  it('lets a namespace have the label from its creation on, or never', async () => {
    await applyNamespaceLabelPolicy(api);
    await namespace('late', { team: 'x' });
    const why = /422 .*label cannot be added\/removed after the namespace was created/;
    await assert.rejects(namespace('late', primary), why);
    await namespace('late', { team: 'y' });
    await namespace('early', primary);
    await assert.rejects(
      api.patch(`${namespaces}/early`, {
        metadata: { labels: { 'k8s.ovn.org/primary-user-defined-network': null } },
      }),
      why,
    );
  });

  describe('with RouteAdvertisements', () => {
    const path = `${advertisements}/shared`;
    before(async () => {
      await api.apply(network('prod', ['10.100.0.0/16', '2001:db8::/64']));
      await condition(`${networks}/cluster-udn-prod`, { status: 'True' });
    });
    beforeEach(async () => {
      await api.apply({ ...source() });
      await api.apply(ra);
      await condition(path, { status: 'True', reason: 'Accepted' });
      await generates(...forWorkers);
    });

    it('makes an FRRConfiguration for each source and node', async () => {
      const [made] = [...configs.objects.values()].filter(({ metadata }) => {
        return metadata.name.startsWith('ovnk-generated-');
      });
      const node = made?.metadata.annotations?.['k8s.ovn.org/route-advertisements']?.split('/')[2];
      assert.deepEqual(made?.metadata.labels, { 'k8s.ovn.org/route-advertisements': 'shared' });
      const { nodeSelector, bgp } = made?.spec ?? {};
      assert.deepEqual(nodeSelector, { matchLabels: { 'kubernetes.io/hostname': node } });
      const [router, importing] = bgp?.routers ?? [];
      assert.deepEqual(router?.prefixes, ['10.100.0.0/16', '2001:db8::/64']);
      const allowed = { mode: 'filtered', prefixes: ['10.100.0.0/16'] };
      const copied = { ...neighbor, dualStackAddressFamily: false, toAdvertise: { allowed } };
      assert.deepEqual(router?.neighbors, [copied], 'an IPv4 neighbor hears of IPv4 alone');
      assert.deepEqual(importing?.imports, [{ vrf: 'default' }]);
      const { status } = await api.get(path);
      assert.equal(status.status, 'Accepted');
    });

    it('follows its source with what can be added to it', async () => {
      const [router] = source().spec?.bgp?.routers ?? [];
      const neighbors = [neighbor, { ...neighbor, address: '10.0.1.183' }];
      const spec = { bgp: { routers: [{ ...router, neighbors }] } };
      await api.apply({ ...source(), spec });
      await eventually('the copies have both neighbors', soon, () => {
        const all = [...configs.objects.values()].map(({ spec: seen }) => seen?.bgp?.routers?.[0]);
        return all.every((one) => one?.neighbors?.length === 2);
      });
    });

    it('stands in the way of a session that changes, until the label is taken away', async () => {
      const changed = { holdTime: '90s', keepaliveTime: '30s' };
      await assert.rejects(
        api.apply({ ...source(changed) }),
        /403 .*multiple hold times specified/,
      );
      const at = `${frrConfigurations}/zone-a`;
      await api.patch(at, { metadata: { labels: { 'sluice.io/own': null } } });
      await condition(path, { status: 'False', reason: 'ConfigurationPending' }, /no FRRConfig/);
      await generates();
      await api.apply({ ...source(changed, { ...own }) });
      await condition(path, { status: 'True' });
      await generates(...forWorkers);
      await api.delete(at);
      await generates();
    });

    it('takes back what it made when there is no network or no source', async () => {
      const at = `${networks}/cluster-udn-prod`;
      await api.patch(at, { metadata: { labels: { advertise: null } } });
      await condition(path, { reason: 'ConfigurationPending' }, /^no networks selected$/);
      await generates();
      await api.patch(at, { metadata: { labels: { advertise: 'true' } } });
      await generates(...forWorkers);
    });

    it('leaves what it made when there is a mistake', async () => {
      await api.apply({ ...source({ disableMP: false }) });
      const wanted = { status: 'False', reason: 'ConfigurationError' } as const;
      const { body } = await condition(path, wanted, /^DisableMP==false not supported/);
      assert.match(body.status.status, /^Not Accepted: DisableMP==false/);
      assert.deepEqual(generated(), forWorkers);
    });

    it('goes on trying while the webhook is down', async () => {
      await api.delete(path);
      await generates();
      await webhook.down();
      await api.apply(ra);
      await condition(path, { status: 'False', reason: 'InternalError' }, /failed calling webhook/);
      await webhook.up();
      await condition(path, { status: 'True' });
      await generates(...forWorkers);
    });

    it('rejects what it is told to reject', async () => {
      ovnk.reject('two networks on one VRF');
      await condition(path, { status: 'False', reason: 'ConfigurationError' }, /^two networks/);
      ovnk.reject(undefined);
      await condition(path, { status: 'True' });
    });

    it('removes what it made when they are deleted', async () => {
      await api.delete(path);
      await generates();
    });
  });
});
