/** What each room may not do: on a real API server with RBAC, and on a real nats-server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Api, type ApiObject, openApi } from '../controlplane/api.ts';
import { type Installed, namespace, openInstalled } from './installed.ts';
import { type Peer, openPeer } from './peer.ts';
import { tokenOf } from './pods.ts';

/** Who asks for what: a line of `kubectl auth can-i`. */
type Question = readonly [verb: string, group: string, resource: string, place?: Place | undefined];

interface Place {
  readonly namespace?: string;
  readonly name?: string;
}

const frr: Place = { namespace: 'openshift-frr-k8s' };

const read = ['get', 'list', 'watch'] as const;
const seen: readonly (readonly [group: string, resource: string, place?: Place])[] = [
  ['', 'nodes'],
  ['', 'namespaces'],
  ['', 'pods', frr],
  ['k8s.ovn.org', 'egressips'],
  ['k8s.ovn.org', 'clusteruserdefinednetworks'],
  ['k8s.ovn.org', 'routeadvertisements'],
  ['cloud.network.openshift.io', 'cloudprivateipconfigs'],
  ['config.openshift.io', 'infrastructures'],
  ['operator.openshift.io', 'networks'],
  ['networking.openshift.io', 'cudnbgpconfigs'],
  ['networking.openshift.io', 'cudnbgproutings'],
  ['frrk8s.metallb.io', 'frrconfigurations', frr],
  ['frrk8s.metallb.io', 'bgpsessionstates', frr],
];
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** What the publisher may do, all of it; the names where they are fixed. */
const written: readonly Question[] = [
  ['get', 'k8s.ovn.org', 'egressips'],
  ['patch', 'k8s.ovn.org', 'egressips'],
  ['patch', 'k8s.ovn.org', 'egressips/status'],
  ['create', 'events.k8s.io', 'events', { namespace: 'default' }],
  ['patch', 'events.k8s.io', 'events', { namespace: 'default' }],
  ['delete', 'cloud.network.openshift.io', 'cloudprivateipconfigs'],
  ['patch', 'operator.openshift.io', 'networks', { name: 'cluster' }],
  ['patch', 'networking.openshift.io', 'cudnbgpconfigs/status', { name: 'cluster' }],
  ['patch', 'networking.openshift.io', 'cudnbgproutings/status'],
  ['delete', 'k8s.ovn.org', 'clusteruserdefinednetworks'],
  ['delete', 'k8s.ovn.org', 'routeadvertisements', { name: 'cudn-bgp-route-advertisements' }],
  ['create', 'frrk8s.metallb.io', 'frrconfigurations', frr],
];

const unwritable: readonly Question[] = [
  ['list', 'k8s.ovn.org', 'egressips'],
  ['watch', 'k8s.ovn.org', 'egressips'],
  ['create', 'k8s.ovn.org', 'egressips'],
  ['delete', 'k8s.ovn.org', 'egressips'],
  ['update', 'k8s.ovn.org', 'egressips'],
  ['get', '', 'nodes'],
  ['patch', '', 'nodes'],
  ['patch', 'operator.openshift.io', 'networks', { name: 'other' }],
  ['delete', 'operator.openshift.io', 'networks', { name: 'cluster' }],
  ['patch', 'networking.openshift.io', 'cudnbgpconfigs', { name: 'other' }],
  ['delete', 'k8s.ovn.org', 'routeadvertisements', { name: 'default' }],
  ['create', 'frrk8s.metallb.io', 'frrconfigurations', { namespace: 'default' }],
  ['create', 'events.k8s.io', 'events', { namespace: 'kube-system' }],
  ['get', '', 'secrets', { namespace }],
  ['create', '', 'pods', { namespace }],
];

describe('the permissions of the chart', function () {
  this.timeout(120_000);
  let house: Installed;
  const apis = new Map<string, Api>();
  const peers: Peer[] = [];

  before(async () => {
    house = await openInstalled();
    const { status, err } = await house.upgrade();
    assert.equal(status, 0, err);
    for (const room of ['watcher', 'assigner', 'publisher', 'bgp', 'aws-sync']) {
      const token = await tokenOf(house.plane.api, namespace, `sluice-${room}`);
      apis.set(room, openApi({ server: house.plane.server, token, ca: () => house.plane.ca }));
    }
    await house.startNats();
  });

  after(async () => {
    for (const api of apis.values()) api.close();
    for (const peer of peers) await peer.close();
    await house?.stop();
  });

  async function may(room: string, [verb, group, resource, place]: Question): Promise<boolean> {
    const [name, subresource] = resource.split('/');
    const resourceAttributes = { verb, group, resource: name, subresource, ...place };
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { status, body } = await (apis.get(room) as Api).call('POST', path, review);
    assert.equal(status, 201, body?.message);
    return body.status.allowed as boolean;
  }

  const told = (room: string, question: Question): string => `${room} ${JSON.stringify(question)}`;

  it('let the watcher read what it watches, and write none of it', async () => {
    for (const [group, resource, place] of seen) {
      for (const verb of read) {
        const question: Question = [verb, group, resource, place];
        assert.equal(await may('watcher', question), true, told('watcher', question));
      }
      for (const verb of writes) {
        const question: Question = [verb, group, resource, place];
        assert.equal(await may('watcher', question), false, told('watcher', question));
      }
    }
    assert.equal(await may('watcher', ['list', '', 'pods', { namespace: 'default' }]), false);
    assert.equal(await may('watcher', ['get', '', 'secrets', { namespace }]), false);
  });

  it('let the publisher write what it owns, by its name where that is fixed', async () => {
    for (const question of written)
      assert.equal(await may('publisher', question), true, told('publisher', question));
    for (const question of unwritable)
      assert.equal(await may('publisher', question), false, told('publisher', question));
  });

  it('let assigner, bgp and aws-sync do nothing at all in the cluster', async () => {
    for (const room of ['assigner', 'bgp', 'aws-sync'])
      for (const [group, resource, place] of seen)
        for (const verb of ['get', 'patch'] as const) {
          const question: Question = [verb, group, resource, place];
          assert.equal(await may(room, question), false, told(room, question));
        }
  });

  it('hold for real requests, too: the API server answers 403', async () => {
    const asAssigner = await apis.get('assigner')?.call('GET', '/api/v1/nodes');
    assert.equal(asAssigner?.status, 403);
    const path = '/api/v1/nodes/worker-1';
    const patch = { metadata: { labels: { a: 'b' } } };
    const type = 'application/merge-patch+json';
    for (const room of ['watcher', 'publisher'])
      assert.equal((await apis.get(room)?.call('PATCH', path, patch, type))?.status, 403);
  });

  async function peer(user: string): Promise<Peer> {
    const ca = join(house.nats.folder, 'etc/nats-certs/ca.crt');
    const password = await house.password(user);
    const opened = await openPeer({ url: house.nats.url, user, password, ca });
    peers.push(opened);
    return opened;
  }

  it('keep everybody out of NATS who has no login', async () => {
    const ca = join(house.nats.folder, 'etc/nats-certs/ca.crt');
    const wrong = { url: house.nats.url, user: 'watcher', password: 'guessed', ca };
    await assert.rejects(openPeer(wrong), /authorization/i);
  });

  it('let a room speak under its own name only', async () => {
    const speakers = ['watcher', 'assigner', 'bgp', 'aws-sync', 'publisher'];
    for (const room of speakers) {
      const own = await peer(room);
      for (const other of speakers)
        assert.equal(
          await own.mayPublish(`sluice.${other}.node.x`),
          other === room,
          `${room} as ${other}`,
        );
    }
  });

  it('let a room read what it hears, and nothing else', async () => {
    const assigner = await peer('assigner');
    const creates = (stream: string, who: string): Promise<boolean> =>
      assigner.mayPublish(`$JS.API.CONSUMER.CREATE.${stream}.c.sluice.${who}.>`);
    assert.equal(await creates('SLUICE_WATCHER', 'watcher'), true);
    assert.equal(await creates('SLUICE_PUBLISHER', 'publisher'), false);
    assert.equal(await creates('SLUICE_HISTORY', '*'), false);
    assert.equal(await assigner.mayPublish('$JS.API.STREAM.MSG.GET.SLUICE_PUBLISHER'), false);
    assert.equal(await assigner.mayPublish('$JS.API.DIRECT.GET.SLUICE_WATCHER'), false);
    for (const inbox of ['sluice.>', '_INBOX.>', '_INBOX_sluice-publisher.>', '>'])
      assert.equal(await assigner.maySubscribe(inbox), false, inbox);
  });

  it('let nobody change a stream, and only the publisher make or void one', async () => {
    for (const user of ['watcher', 'assigner', 'publisher', 'bgp', 'aws-sync', 'sre']) {
      const own = await peer(user);
      for (const what of ['UPDATE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'])
        assert.equal(await own.mayPublish(`$JS.API.STREAM.${what}.SLUICE_WATCHER`), false);
      for (const stream of ['HISTORY', 'LEASE'])
        assert.equal(await own.mayPublish(`$JS.API.STREAM.DELETE.SLUICE_${stream}`), false);
      const voids = await own.mayPublish('$JS.API.STREAM.DELETE.SLUICE_WATCHER');
      assert.equal(voids, user === 'publisher', user);
      const makes = await own.mayPublish('$JS.API.STREAM.CREATE.SLUICE_WATCHER');
      assert.equal(makes, user === 'publisher', user);
      assert.equal(await own.mayPublish('$JS.API.STREAM.CREATE.OTHER'), false);
    }
  });

  it('let a room hold its own lease, and read those of others only', async () => {
    const assigner = await peer('assigner');
    assert.equal(await assigner.mayPublish('sluice-lease.assigner'), true);
    assert.equal(await assigner.mayPublish('sluice-lease.publisher'), false);
    assert.equal(await assigner.mayPublish('$JS.API.STREAM.MSG.GET.SLUICE_LEASE'), true);
  });

  it('let people read everything and say nothing', async () => {
    const sre = await peer('sre');
    assert.equal(await sre.maySubscribe('sluice.>'), true);
    assert.equal(await sre.mayPublish('$JS.API.CONSUMER.CREATE.SLUICE_HISTORY.c.sluice.*.>'), true);
    assert.equal(await sre.mayPublish('$JS.API.STREAM.LIST'), true);
    assert.equal(await sre.mayPublish('sluice.watcher.node.x'), false);
    assert.equal(await sre.mayPublish('sluice.publisher.egressip.x'), false);
  });

  it('stand in objects that the API server accepts, all of them, without a warning', async () => {
    await stubMonitoring(house.plane.api);
    const values = { 'serviceMonitor.enabled': true, 'prometheusRule.enabled': true };
    const rendered = await house.helm.objects({ ...values, 'dashboard.enabled': true });
    assert.ok(rendered.all.length > 40);
    for (const object of rendered.all) {
      const path = `${await collectionOf(house.plane.api, object)}/${object.metadata.name}`;
      const query = 'dryRun=All&fieldManager=test&force=true&fieldValidation=Strict';
      const type = 'application/apply-patch+yaml';
      const { status, body } = await house.plane.api.call(
        'PATCH',
        `${path}?${query}`,
        object,
        type,
      );
      assert.ok(status < 300, `${object.kind} ${object.metadata.name}: ${body?.message}`);
    }
  });
});

const kinds = new Map<string, { readonly name: string; readonly namespaced: boolean }>();

/** The path of an object's collection, from what the server says of its kind. */
async function collectionOf(api: Api, { apiVersion, kind, metadata }: ApiObject): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  if (!kinds.has(`${apiVersion} ${kind}`))
    for (const resource of (await api.get(root)).resources)
      if (!resource.name.includes('/')) kinds.set(`${apiVersion} ${resource.kind}`, resource);
  const found = kinds.get(`${apiVersion} ${kind}`);
  assert.ok(found, `the server knows no ${kind}`);
  const scope = found.namespaced ? `/namespaces/${metadata.namespace ?? namespace}` : '';
  return `${root}${scope}/${found.name}`;
}

/** The Prometheus operator's kinds without their schema: promtool reads the rules themselves. */
async function stubMonitoring(api: Api): Promise<void> {
  for (const kind of ['ServiceMonitor', 'PrometheusRule']) {
    const plural = `${kind.toLowerCase()}s`;
    const group = 'monitoring.coreos.com';
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await api.apply({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, singular: kind.toLowerCase(), kind },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    });
  }
}
