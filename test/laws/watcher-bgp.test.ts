/** What the watcher tells of BGP routing: each kind as it is, once, and when it is complete. */
import assert from 'node:assert/strict';
import type { Fact } from '../../core/fact.ts';
import {
  ADVERTISEMENTS,
  BORN,
  configObject,
  CONFIGS,
  conditions,
  CUDNS,
  FRR_CONFIGURATIONS,
  FRR_PODS,
  NAMESPACES,
  NETWORKS,
  object,
  podObject,
  routingObject,
  ROUTINGS,
  SESSIONS,
} from './watcher-bgp-objects.ts';
import { gone, listed, noProbes, notServed, put, Watched } from './watcher-bench.ts';

const watched = (): Watched => new Watched({ ...noProbes, platform: 'None' });
const told = (one: Watched, topic: string): Fact | undefined => one.log.get(topic);
const bornMs = Date.parse(BORN);
const seenConditions = ['A', 'B'].map((type) => ({
  ...{ type, status: type === 'A' ? 'True' : 'False', reason: 'Because', message: 'so it is' },
  ...{ observedGeneration: 3, sinceMs: bornMs },
}));

describe('the watcher and the resources of BGP routing', () => {
  it('tells the whole of a CUDNBgpConfig, its status included', () => {
    const annotations = { 'networking.openshift.io/orphan-aws-resources': 'true', other: 'no' };
    const finalizers = ['z', 'a'];
    const one = watched().sense(listed(CONFIGS, [configObject({}, { annotations, finalizers })]));
    assert.deepEqual(told(one, 'cudnbgpconfig/cluster'), {
      kind: 'BgpConfigSeen',
      config: {
        ...{ name: 'cluster', uid: 'uid-cluster', createdMs: bornMs, generation: 3 },
        ...{ deleting: false, finalizers },
        annotations: { 'networking.openshift.io/orphan-aws-resources': 'true' },
        ...{ localASN: 65_001, livenessDetection: 'bfd', connectTime: '10s' },
        zones: [
          {
            nodeSelector: { zone: 'a' },
            neighbors: [{ address: '10.0.1.47', remoteASN: 64_512 }],
          },
        ],
        routerNodeSelector: { bgp_router: 'true' },
        aws: undefined,
        status: {
          ...{ phase: 'Ready', observedGeneration: 3, aws: '{"routeServers":[]}' },
          conditions: seenConditions,
        },
      },
    });
  });

  it('fills in the defaults of spec.aws where the server has not', () => {
    const aws = { region: 'us-east-1', routeServerIDs: ['rs-1'] };
    const one = watched().sense(listed(CONFIGS, [configObject({ aws })]));
    const fact = told(one, 'cudnbgpconfig/cluster');
    assert.deepEqual(fact?.kind === 'BgpConfigSeen' && fact.config.aws, {
      ...{ ...aws, adoptionPolicy: 'IfMatches', sourceDestCheckScope: 'RouterNodes' },
      restoreSourceDestCheck: false,
    });
  });

  it('tells a CUDNBgpRouting, that it is being deleted, and its end', () => {
    const one = watched().sense(listed(ROUTINGS, [routingObject()]));
    const fact = told(one, 'cudnbgprouting/cudn1');
    assert.deepEqual(
      fact?.kind === 'BgpRoutingSeen' && [fact.routing.network, fact.routing.subnets],
      [...['prod', ['10.100.0.0/16']]],
    );
    one.sense(put(ROUTINGS, routingObject({ deletionTimestamp: BORN })));
    one.sense(gone(ROUTINGS, 'cudn1', 'uid-cudn1'));
    assert.deepEqual(
      one.sentences.filter((sentence) => sentence.startsWith('cudnbgprouting/')),
      [
        'cudnbgprouting/cudn1 appeared: network prod, 10.100.0.0/16',
        'cudnbgprouting/cudn1 is being deleted',
        'cudnbgprouting/cudn1 is gone',
      ],
    );
  });

  it('does not take the deletion of a CUDNBgpConfig for an edit of its spec', () => {
    const one = watched().sense(listed(CONFIGS, [configObject()]));
    // The API server counts it as another generation.
    const dying = { generation: 4, deletionTimestamp: BORN };
    one.sense(put(CONFIGS, configObject({}, dying)));
    assert.equal(one.sentences.at(-1), 'cudnbgpconfig/cluster is being deleted');
  });
});

describe('the watcher and the objects that BGP routing is made of', () => {
  it('tells an FRRConfiguration with its spec as canonical JSON', () => {
    const labels = { b: '2', a: '1' };
    const spec = { nodeSelector: {}, bgp: { routers: [{ asn: 1 }] } };
    const one = object('az-a', { spec }, { labels, annotations: { note: 'x' }, finalizers: ['f'] });
    const fact = told(watched().sense(listed(FRR_CONFIGURATIONS, [one])), 'frrconfiguration/az-a');
    assert.deepEqual(fact, {
      kind: 'ObjectSeen',
      seen: {
        ...{ object: 'FRRConfiguration', name: 'az-a', uid: 'uid-az-a', generation: 3 },
        ...{ labels, annotations: {}, finalizers: ['f'], deleting: false, conditions: [] },
        spec: '{"bgp":{"routers":[{"asn":1}]},"nodeSelector":{}}',
      },
    });
  });

  it('tells of the copies of OVN-Kubernetes whose they are, and no spec', () => {
    const annotations = { 'k8s.ovn.org/route-advertisements': 'ra/az-a/worker-1' };
    const copy = object('ovnk-generated-x1', { spec: { bgp: {} } }, { annotations });
    const one = watched().sense(listed(FRR_CONFIGURATIONS, [copy]));
    const fact = told(one, 'frrconfiguration/ovnk-generated-x1');
    assert.ok(fact?.kind === 'ObjectSeen');
    assert.deepEqual([fact.seen.spec, fact.seen.annotations], ['', annotations]);
  });

  it('lets no password of a neighbour onto the log', () => {
    const neighbors = [{ address: '10.0.0.1', password: 'secret' }];
    const theirs = object('theirs', { spec: { bgp: { routers: [{ neighbors }] } } });
    const one = watched().sense(listed(FRR_CONFIGURATIONS, [theirs]));
    assert.doesNotMatch(JSON.stringify([...one.log]), /secret/);
  });

  it('tells the conditions of networks and of RouteAdvertisements', () => {
    for (const [collection, topic] of [
      [CUDNS, 'clusteruserdefinednetwork/x'],
      [ADVERTISEMENTS, 'routeadvertisements/x'],
    ] as const) {
      const one = watched().sense(listed(collection, [object('x', { status: { conditions } })]));
      const fact = told(one, topic);
      assert.deepEqual(fact?.kind === 'ObjectSeen' && fact.seen.conditions, seenConditions);
    }
  });

  it('tells of the Network only the two fields that count, and of no other Network', () => {
    const spec = {
      additionalRoutingCapabilities: { providers: ['FRR'] },
      defaultNetwork: {
        type: 'X',
        ovnKubernetesConfig: { mtu: 1, routeAdvertisements: 'Enabled' },
      },
    };
    const one = watched().sense(
      listed(NETWORKS, [object('cluster', { spec, status: { conditions } }), object('other')]),
    );
    const fact = told(one, 'network/cluster');
    assert.deepEqual(
      fact?.kind === 'ObjectSeen' && [JSON.parse(fact.seen.spec), fact.seen.conditions],
      [
        {
          additionalRoutingCapabilities: { providers: ['FRR'] },
          defaultNetwork: { ovnKubernetesConfig: { routeAdvertisements: 'Enabled' } },
        },
        [],
      ],
    );
    assert.equal(told(one, 'network/other'), undefined);
    const before = one.said.length;
    const changed = { ...spec, managementState: 'Managed' };
    one.sense(put(NETWORKS, object('cluster', { spec: changed })));
    assert.equal(one.said.length, before, 'what does not count is not told');
  });

  it('tells the daemons of frr-k8s, and takes no other pod for one', () => {
    const others = [
      podObject('cleaner', { labels: { app: 'frr-k8s', component: 'frr-k8s-statuscleaner' } }),
      podObject('named', { labels: { 'app.kubernetes.io/component': 'webhook' } }),
      podObject('owned', { ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }] }),
    ];
    const own = podObject('frr-1', { ownerReferences: [{ kind: 'DaemonSet', name: 'frr' }] });
    const one = watched().sense(
      listed(FRR_PODS, [own, podObject('bare', { labels: {} }), ...others]),
    );
    const pods = [...one.log.keys()].filter((topic) => topic.startsWith('frrpod/'));
    assert.deepEqual(pods, ['frrpod/frr-1', 'frrpod/bare']);
    one.sense(put(FRR_PODS, podObject('frr-1', {}, 'False')));
    one.sense(put(FRR_PODS, podObject('bare', { labels: {}, deletionTimestamp: BORN })));
    const ready = ['frr-1', 'bare'].map((name) => {
      const fact = told(one, `frrpod/${name}`);
      return fact?.kind === 'FrrPodSeen' && fact.pod.ready;
    });
    assert.deepEqual(ready, [false, false]);
    one.sense(put(FRR_PODS, podObject('bare', { labels: { component: 'webhook' } })));
    assert.equal(told(one, 'frrpod/bare')?.kind, 'FrrPodGone', 'it is no daemon any more');
  });

  it('tells namespaces by their network, whatever the value of the other label is', () => {
    const primary = { 'k8s.ovn.org/primary-user-defined-network': 'true' };
    const one = watched().sense(
      listed(NAMESPACES, [
        object('app', {}, { labels: { 'cluster-udn': 'prod', ...primary } }),
        object('late', { status: { phase: 'Terminating' } }, { labels: { 'cluster-udn': 'prod' } }),
      ]),
    );
    const facts = ['app', 'late'].map((name) => told(one, `namespace/${name}`));
    assert.deepEqual(
      facts.map((fact) => fact?.kind === 'NamespaceSeen' && fact.namespace),
      [
        { name: 'app', uid: 'uid-app', network: 'prod', primary: true, deleting: false },
        { name: 'late', uid: 'uid-late', network: 'prod', primary: false, deleting: true },
      ],
    );
  });

  it('tells a session by the canonical address of its peer, also before it has a status', () => {
    const labels = {
      'frrk8s.metallb.io/node': 'worker-1',
      'frrk8s.metallb.io/peer': '2a00-8a00-4000-0780-0000-0000-0000-0004',
    };
    const status = { node: 'worker-1', peer: '2A00:8a00:4000:780::4', bgpStatus: 'Established' };
    const one = watched().sense(listed(SESSIONS, [object('s', {}, { labels })]));
    const born = told(one, 'bgpsession/s');
    one.sense(put(SESSIONS, object('s', { status: { ...status, bfdStatus: 'Up' } }, { labels })));
    const session = { name: 's', uid: 'uid-s', node: 'worker-1', vrf: '' };
    const peer = '2a00:8a00:4000:780::4';
    assert.deepEqual(born?.kind === 'SessionSeen' && born.session, {
      ...{ ...session, peer, bgpStatus: '', bfdStatus: '' },
    });
    const up = told(one, 'bgpsession/s');
    assert.deepEqual(up?.kind === 'SessionSeen' && up.session, {
      ...{ ...session, peer, bgpStatus: 'Established', bfdStatus: 'Up' },
    });
    assert.match(one.sentences.at(-1) ?? '', /worker-1 to 2a00:.*: Established, BFD Up$/);
  });
});

describe('the watcher and what is served', () => {
  const served = (one: Watched, plural: string): boolean | undefined => {
    const fact = told(one, `kind/${plural}`);
    return fact?.kind === 'KindSeen' ? fact.served : undefined;
  };

  it('says that a kind is complete after all of its objects', () => {
    const many = Array.from({ length: 1_200 }, (_, n) => object(`s${n}`));
    const one = watched().sense(notServed(SESSIONS), listed(SESSIONS, many));
    const topics = one.said.map(([topic]) => topic);
    assert.equal(topics.indexOf('kind/bgpsessionstates'), topics.length - 1);
    assert.equal(topics.length, 1_202, 'the platform, the sessions and the kind');
  });

  it('says at once that a kind is not served which never was', () => {
    const one = watched().sense(notServed(CUDNS));
    assert.equal(served(one, 'clusteruserdefinednetworks'), false);
    assert.equal(served(one.sense(listed(CUDNS, [])), 'clusteruserdefinednetworks'), true);
  });

  it('believes a 404 of a kind that was served only when it stays so, over restarts', () => {
    const one = watched().sense(listed(CUDNS, [object('x')]));
    one.sense(notServed(CUDNS));
    assert.equal(served(one, 'clusteruserdefinednetworks'), true);
    one.sense(listed(CUDNS, [object('x')]), notServed(CUDNS));
    assert.equal(served(one, 'clusteruserdefinednetworks'), true, 'it begins anew');
    one.restart().sense(notServed(CUDNS));
    assert.equal(served(one, 'clusteruserdefinednetworks'), true);
    assert.equal(told(one, 'clusteruserdefinednetwork/x')?.kind, 'ObjectSeen');
    one.sense(notServed(CUDNS));
    assert.equal(served(one, 'clusteruserdefinednetworks'), false);
    assert.equal(told(one, 'clusteruserdefinednetwork/x')?.kind, 'ObjectGone');
    assert.match(one.sentences.at(-1) ?? '', /is not served any more$/, 'at last');
  });

  it('says nothing again after a restart, whatever is told there', () => {
    const one = watched().sense(
      listed(CUDNS, [object('x')]),
      listed(FRR_PODS, [podObject('p')]),
      notServed(SESSIONS),
    );
    const before = one.said.length;
    one
      .restart()
      .sense(listed(CUDNS, [object('x')]), listed(FRR_PODS, [podObject('p')]), notServed(SESSIONS));
    assert.equal(one.said.length, before);
  });

  it('does not hold up anybody else: egress IPs are synced without any of it', () => {
    const one = watched().sense(listed('/api/v1/nodes', []));
    one.sense(listed('/apis/k8s.ovn.org/v1/egressips', []));
    assert.equal(told(one, 'sync/cluster')?.kind, 'Synced');
  });
});
