/** Objects of BGP routing: made, changed and deleted as decided, and never more than that. */
import assert from 'node:assert/strict';
import { RoutingBench } from './bgp-bench.ts';
import type { Json } from './bgp-model.ts';
import { config, decided, frrSpec, LABELS, redecided, settled } from './bgp-scene.ts';

const get = (bench: RoutingBench, name = 'az-a'): Json =>
  bench.model.get('frrconfigurations', name);

const edit = (bench: RoutingBench, change: (object: Json) => void): Promise<RoutingBench> => {
  bench.model.edit('frrconfigurations', 'az-a', change);
  return bench.rest();
};

describe('an object that is decided', () => {
  it('is created in its namespace with its labels, and told on the log', async () => {
    const bench = new RoutingBench();
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    assert.deepEqual(get(bench).spec, frrSpec);
    assert.deepEqual(get(bench).metadata.labels, LABELS);
    assert.equal(get(bench).metadata.namespace, 'openshift-frr-k8s');
    const [said] = bench.outcomes();
    assert.equal(said?.said, 'created: zone a wants it');
    assert.equal(said?.event.kind === 'ObjectPublished' && said.event.wrote, 'create');
    assert.deepEqual(said?.causes[0]?.stream, 'bgp');
  });

  it('is not created before the kind was listed', async () => {
    const bench = new RoutingBench('enforce', []);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    assert.deepEqual((await bench.rest()).writes(), []);
    bench.hear('watcher', { kind: 'KindSeen', plural: 'frrconfigurations', served: false });
    assert.deepEqual((await bench.rest()).writes(), []);
    bench.hear('watcher', { kind: 'KindSeen', plural: 'frrconfigurations', served: true });
    assert.deepEqual((await bench.rest()).writes(), ['POST frrconfigurations/az-a']);
  });

  it('is written once, however often the same is decided', async () => {
    const bench = await settled();
    for (let times = 0; times < 3; times++) await redecided(bench);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { because: 'for another reason' }));
    await bench.rest();
    assert.deepEqual([bench.writes(), bench.outcomes()], [[], []]);
  });

  it('gets its new spec in one patch, and keeps what others put on it', async () => {
    const bench = await settled();
    await edit(bench, ({ metadata }) => {
      metadata.labels['team/owner'] = 'net';
      metadata.annotations = { note: 'theirs' };
      metadata.finalizers = ['example.com/hold'];
    });
    const spec = structuredClone(frrSpec);
    spec.bgp.routers[0].neighbors[0].address = '10.0.1.183';
    const { uid } = get(bench).metadata;
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, spec }));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['PATCH frrconfigurations/az-a']);
    assert.deepEqual(get(bench).spec, spec);
    assert.equal(get(bench).metadata.labels['team/owner'], 'net');
    assert.deepEqual(get(bench).metadata.annotations, { note: 'theirs' });
    assert.deepEqual(get(bench).metadata.finalizers, ['example.com/hold']);
  });

  it('loses a label that it must not have, and nothing but that is written', async () => {
    const bench = await settled();
    const { uid } = get(bench).metadata;
    const labels = { 'app.kubernetes.io/managed-by': 'cudn-bgp-routing-operator' };
    const dropped = ['sluice.dev/advertised'];
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, labels, dropped }));
    await bench.rest();
    assert.deepEqual(get(bench).metadata.labels, labels);
    assert.deepEqual(bench.model.requests.at(-1)?.body, [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/metadata/deletionTimestamp', value: null },
      { op: 'remove', path: '/metadata/labels/sluice.dev~1advertised' },
    ]);
  });

  it('that is to be absent is deleted with its uid as precondition, once', async () => {
    const bench = await settled();
    const { uid } = get(bench).metadata;
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, want: 'absent' }));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['DELETE frrconfigurations/az-a']);
    assert.equal(get(bench), undefined);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid: '', want: 'absent' }));
    assert.deepEqual((await bench.rest()).writes(), []);
  });

  it('is left alone when it is another one than was decided upon', async () => {
    const bench = new RoutingBench();
    const foreign = bench.model.put('frrconfigurations', {
      metadata: { name: 'az-a', labels: {} },
      spec: { bgp: {} },
    });
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid: 'old', want: 'absent' }));
    await bench.rest();
    const { uid } = foreign.metadata;
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, want: 'untouched' }));
    assert.deepEqual((await bench.rest()).writes(), []);
  });

  it('that is being deleted is not written to: it is made anew when it is gone', async () => {
    const bench = await settled();
    await edit(bench, ({ metadata }) => (metadata.finalizers = ['example.com/hold']));
    bench.model.remove('frrconfigurations', 'az-a');
    await edit(bench, ({ spec }) => (spec.bgp.routers[0].asn = 1));
    assert.deepEqual(bench.writes(), []);
    await edit(bench, ({ metadata }) => (metadata.finalizers = []));
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
  });
});

describe('what somebody changes on an object of ours', () => {
  const changes: Record<string, (object: Json) => void> = {
    'a number': ({ spec }) => (spec.bgp.routers[0].asn = 65_009),
    'a neighbour more': ({ spec }) => spec.bgp.routers[0].neighbors.push({ address: '10.9.9.9' }),
    'no neighbour': ({ spec }) => (spec.bgp.routers[0].neighbors = []),
    'a label of the selector': ({ spec }) => (spec.nodeSelector.matchLabels.extra = 'yes'),
    'a field of its own': ({ spec }) => (spec.bgp.routers[0].id = '1.2.3.4'),
    'a password': ({ spec }) => (spec.bgp.routers[0].neighbors[0].password = 'secret'),
    'our label': ({ metadata }) => delete metadata.labels['sluice.dev/advertised'],
    'all labels': ({ metadata }) => delete metadata.labels,
  };
  for (const [what, change] of Object.entries(changes))
    it(`is restored with one write: ${what}`, async () => {
      const bench = await settled();
      await edit(bench, change);
      assert.deepEqual(bench.writes(), ['PATCH frrconfigurations/az-a']);
      assert.deepEqual([get(bench).spec, get(bench).metadata.labels], [frrSpec, LABELS]);
    });

  it('is restored when it was deleted, and again after three seconds', async () => {
    const bench = await settled();
    for (let times = 0; times < 2; times++) {
      bench.model.remove('frrconfigurations', 'az-a');
      await bench.rest();
      assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
      await redecided(bench);
      await bench.pass(3_000);
    }
    assert.deepEqual(bench.writes(), []);
  });

  it('is left alone where the server would have filled it in just so', async () => {
    const bench = await settled();
    await edit(bench, ({ spec }) => {
      spec.bgp.routers[0].neighbors[0].port = 179;
      spec.bgp.routers[0].neighbors[0].ebgpMultiHop = false;
      spec.bgp.routers[0].neighbors[0].toAdvertise = { allowed: { mode: 'filtered' } };
      spec.bgp.routers[0].prefixes = [];
      spec.raw = {};
    });
    assert.deepEqual(bench.writes(), []);
  });
});

describe('what the server makes of a spec', () => {
  const webhook = (_plural: string, spec: Json): Json => ({ ...spec, tuned: 'by a webhook' });

  it('is remembered, and not fought over', async () => {
    const bench = await settled(webhook);
    assert.equal(get(bench).spec.tuned, 'by a webhook');
    await edit(bench, ({ metadata }) => (metadata.annotations = { seen: 'again' }));
    assert.deepEqual(bench.writes(), []);
  });

  it('is remembered over a restart, in whatever order the log is read', async () => {
    for (const order of [
      (log: readonly Json[]) => log,
      (log: readonly Json[]) => log.toReversed(),
    ]) {
      const bench = await settled(webhook);
      await bench.restart(order);
      assert.deepEqual([bench.writes(), bench.outcomes()], [[], []]);
    }
  });

  it('is restored when somebody changes it', async () => {
    const bench = await settled(webhook);
    await edit(bench, ({ spec }) => (spec.tuned = 'by somebody'));
    assert.deepEqual(bench.writes(), ['PATCH frrconfigurations/az-a']);
    assert.equal(get(bench).spec.tuned, 'by a webhook');
  });

  it('may lack a field that its schema does not know, and that is not tried for ever', async () => {
    const prune = (_plural: string, spec: Json): Json => {
      const { nodeSelector: _, ...rest } = spec;
      return rest;
    };
    const bench = await settled(prune);
    await edit(bench, ({ metadata }) => (metadata.annotations = { seen: 'again' }));
    assert.deepEqual(bench.writes(), []);
  });
});

describe('the Network of the cluster', () => {
  const wanted = {
    additionalRoutingCapabilities: { providers: ['FRR'] },
    defaultNetwork: { ovnKubernetesConfig: { routeAdvertisements: 'Enabled' } },
  };
  const others = { clusterNetwork: [{ cidr: '10.128.0.0/14' }] };

  async function patched(): Promise<{ bench: RoutingBench; uid: string }> {
    const bench = new RoutingBench();
    const spec = { ...others, defaultNetwork: { type: 'OVNKubernetes' } };
    const { uid } = bench.model.put('networks', { metadata: { name: 'cluster' }, spec }).metadata;
    const labels = {};
    bench.hear('bgp', decided('Network', 'cluster', { uid, labels, spec: wanted }));
    await bench.rest();
    return { bench, uid };
  }

  it('gets both fields in one patch, and nothing else is touched', async () => {
    const { bench, uid } = await patched();
    assert.deepEqual(bench.writes(), ['PATCH networks/cluster']);
    assert.deepEqual(bench.model.get('networks', 'cluster').spec, {
      ...{ ...others, additionalRoutingCapabilities: { providers: ['FRR'] } },
      defaultNetwork: { type: 'OVNKubernetes', ...wanted.defaultNetwork },
    });
    assert.deepEqual(bench.model.requests[0]?.body, { metadata: { uid }, spec: wanted });
  });

  it('is told with what it was before', async () => {
    const { bench } = await patched();
    const [said] = bench.outcomes();
    assert.equal(said?.event.kind === 'ObjectPublished' && said.event.before, '{}');
  });

  it('is restored, and never made or deleted', async () => {
    const { bench, uid } = await patched();
    bench.writes();
    bench.model.edit('networks', 'cluster', ({ spec }) => {
      spec.defaultNetwork.ovnKubernetesConfig.routeAdvertisements = 'Disabled';
    });
    assert.deepEqual((await bench.rest()).writes(), ['PATCH networks/cluster']);
    bench.hear('bgp', decided('Network', 'cluster', { uid, labels: {}, want: 'absent' }));
    assert.deepEqual((await bench.rest()).writes(), []);
    bench.hear('bgp', decided('Network', 'cluster', { uid, labels: {}, spec: wanted }));
    bench.model.remove('networks', 'cluster');
    assert.deepEqual((await bench.rest()).writes(), []);
  });
});

describe('a restart of the publisher', () => {
  it('writes and says nothing when all is as decided', async () => {
    const bench = await settled();
    const uid = config(bench);
    assert.ok(uid !== '');
    await bench.rest();
    bench.writes();
    bench.outcomes();
    for (let times = 0; times < 3; times++) await bench.restart();
    await bench.restart((log) => log.toReversed());
    await bench.pass(600_000);
    assert.deepEqual([bench.writes(), bench.outcomes()], [[], []]);
  });
});
