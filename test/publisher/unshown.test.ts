/** What the publisher wrote and no fact shows: somebody may have undone it before anybody saw. */
import assert from 'node:assert/strict';
import { RoutingBench } from './bgp-bench.ts';
import { config, configDecided, condition, decided, settled } from './bgp-scene.ts';
import { routing, routingDecided } from './bgp-scene.ts';
import { item, stage } from './scene.ts';

/** The watch stands still: nothing that happens from now on is told. */
function blind({ model }: RoutingBench): () => void {
  const { tell } = model;
  model.tell = () => undefined;
  return () => void (model.tell = tell);
}

describe('an object that the publisher made, and no fact ever told of', () => {
  it('is made again when somebody deleted it between two lists of the watcher', async () => {
    const bench = new RoutingBench();
    const see = blind(bench);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    bench.model.objects.delete('frrconfigurations/az-a');
    see();
    await bench.pass(30_000);
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    await bench.pass(600_000);
    assert.deepEqual(bench.writes(), [], 'once');
  });

  it('is made again when it was told to be there, and gone, before we had the answer', async () => {
    const bench = new RoutingBench();
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    const { request } = bench.model;
    bench.model.request = (asked) => {
      const answer = request.call(bench.model, asked);
      if (asked.method !== 'POST') return answer;
      bench.model.remove('frrconfigurations', 'az-a');
      for (const fact of bench.model.facts.splice(0)) bench.hear('watcher', fact);
      bench.model.request = request;
      return answer;
    };
    await bench.rest();
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    await bench.pass(30_000);
    assert.deepEqual(bench.writes(), ['POST frrconfigurations/az-a']);
    assert.notEqual(bench.model.get('frrconfigurations', 'az-a'), undefined);
  });

  it('is looked at ever more rarely while it is there, and nothing is written', async () => {
    const bench = new RoutingBench();
    const see = blind(bench);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    bench.writes();
    let looks = 0;
    const { request } = bench.model;
    bench.model.request = (asked) => {
      if (asked.method === 'GET') looks++;
      return request.call(bench.model, asked);
    };
    await bench.pass(3_600_000);
    assert.deepEqual(bench.writes(), []);
    assert.ok(looks > 5 && looks < 20, `${looks} looks in an hour`);
    see();
    bench.model.tell('frrconfigurations', 'az-a');
    await bench.rest();
    looks = 0;
    await bench.pass(3_600_000);
    assert.equal(looks, 0, 'a fact has shown it');
  });

  it('is not made twice where the server does not answer the look', async () => {
    const bench = new RoutingBench();
    blind(bench);
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    bench.writes();
    const { request } = bench.model;
    bench.model.request = (asked) =>
      asked.method === 'GET'
        ? { status: 503, body: undefined, message: 'not now', retryAfterMs: 0 }
        : request.call(bench.model, asked);
    await bench.pass(60_000);
    assert.deepEqual(bench.writes(), []);
  });
});

describe('the finalizer of a resource', () => {
  it('stays while a network that was made for it is there, and no fact tells of it', async () => {
    const bench = new RoutingBench();
    const uid = routing(bench);
    await bench.rest();
    const made = { owner: 'cudnbgprouting/prod', condition: 'CUDNCreated' };
    bench.hear('bgp', routingDecided(uid, 'Configuring', []));
    await bench.rest();
    const see = blind(bench);
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', 'cluster-udn-prod', made));
    await bench.rest();
    see();
    bench.model.fault = ({ method }) =>
      method === 'DELETE'
        ? { status: 503, body: undefined, message: 'not now', retryAfterMs: 0 }
        : undefined;
    const absent = { ...made, want: 'absent' } as const;
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', 'cluster-udn-prod', absent));
    bench.hear('bgp', routingDecided(uid, 'Configuring', [], { finalizer: false }));
    await bench.pass(60_000);
    const finalizers = (): unknown =>
      bench.model.get('cudnbgproutings', 'prod').metadata.finalizers;
    assert.deepEqual(finalizers(), ['networking.openshift.io/cudnbgprouting']);
    bench.model.fault = () => undefined;
    await bench.pass(120_000);
    assert.equal(bench.model.get('clusteruserdefinednetworks', 'cluster-udn-prod'), undefined);
    assert.deepEqual(finalizers(), []);
  });

  it('stays while its network is only withdrawn, and goes with it', async () => {
    const bench = new RoutingBench();
    const uid = routing(bench);
    const name = 'cluster-udn-prod';
    const made = { owner: 'cudnbgprouting/prod', condition: 'CUDNCreated' };
    bench.hear('bgp', routingDecided(uid, 'Configuring', []));
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', name, made));
    await bench.rest();
    const finalizers = (): unknown =>
      bench.model.get('cudnbgproutings', 'prod').metadata.finalizers;
    const { uid: of } = bench.model.get('clusteruserdefinednetworks', name).metadata;
    const withdrawn = { ...made, uid: of, dropped: ['advertise'], labels: {} };
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', name, withdrawn));
    bench.hear('bgp', routingDecided(uid, 'Configuring', [], { finalizer: false }));
    await bench.rest();
    await bench.pass(60_000);
    assert.deepEqual(finalizers(), ['networking.openshift.io/cudnbgprouting']);
    const absent = { ...made, uid: of, want: 'absent' } as const;
    bench.hear('bgp', decided('ClusterUserDefinedNetwork', name, absent));
    await bench.rest();
    await bench.pass(60_000);
    assert.equal(bench.model.get('clusteruserdefinednetworks', name), undefined);
    assert.deepEqual(finalizers(), []);
  });
});

describe('a change of the publisher that somebody undid while the watcher was away', () => {
  it('is made again: a label of an object', async () => {
    const bench = await settled();
    const before = structuredClone(bench.model.get('frrconfigurations', 'az-a'));
    const see = blind(bench);
    const { uid } = before.metadata;
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, dropped: ['team'], labels: {} }));
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid, labels: { other: 'yes' } }));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['PATCH frrconfigurations/az-a']);
    bench.model.put('frrconfigurations', before);
    see();
    await bench.pass(30_000);
    assert.deepEqual(bench.writes(), ['PATCH frrconfigurations/az-a']);
  });

  it('is made again: the status of a CUDNBgpConfig', async () => {
    const bench = new RoutingBench();
    const uid = config(bench);
    await bench.rest();
    const before = structuredClone(bench.model.get('cudnbgpconfigs', 'cluster'));
    const see = blind(bench);
    bench.hear('bgp', configDecided(uid, 'Ready', [condition('FRRConfigurationApplied')]));
    await bench.rest();
    const wrote = bench.writes();
    assert.ok(wrote.includes('PATCH cudnbgpconfigs/cluster/status'), String(wrote));
    bench.model.put('cudnbgpconfigs', before);
    see();
    await bench.pass(30_000);
    assert.deepEqual(bench.writes(), wrote);
  });

  it('is made again: the status of an EgressIP', async () => {
    const scene = await stage(['web']);
    scene.place('web', [item('10.0.0.1', 'n1')]);
    await scene.bench.think();
    for (; scene.bench.pending.length > 0; ) await scene.bench.serve(0, 0, false);
    scene.model.facts.length = 0;
    const web = scene.model.egressIPs.get('web');
    assert.ok(web !== undefined);
    assert.deepEqual(web.items, [item('10.0.0.1', 'n1')]);
    scene.model.egressIPs.set('web', { ...web, items: [] });
    for (let ms = 0; ms < 30_000; ms += 5_000) {
      await scene.bench.rest();
      await scene.bench.sleep(5_000);
    }
    assert.deepEqual(scene.model.egressIPs.get('web')?.items, [item('10.0.0.1', 'n1')]);
  });

  it('is made again: a CloudPrivateIPConfig that moved', async () => {
    const address = '10.0.0.1';
    const scene = await stage(['web'], { cloud: true });
    scene.place('web', [item(address, 'n1')]);
    await scene.bench.rest();
    scene.model.setClaim(address, { statusNode: 'n1', assigned: 'True' });
    await scene.bench.rest();
    scene.place('web', [item(address, 'n2')]);
    await scene.bench.think();
    await scene.bench.serve(0, 0, false);
    scene.bench.deliver(10);
    await scene.bench.think();
    for (; scene.bench.pending.length > 0; ) await scene.bench.serve(0, 0, false);
    assert.equal(scene.model.claims.get(address)?.node, 'n2');
    scene.model.setClaim(address, { node: 'n1' });
    scene.model.facts.length = 0;
    for (let ms = 0; ms < 30_000; ms += 5_000) {
      await scene.bench.rest();
      await scene.bench.sleep(5_000);
    }
    assert.equal(scene.model.claims.get(address)?.node, 'n2');
  });
});
