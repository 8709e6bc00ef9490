/** The status of both resources: one writer joins what all rooms concluded, and our finalizers. */
import assert from 'node:assert/strict';
import type { RoutingBench } from './bgp-bench.ts';
import { RoutingBench as Bench } from './bgp-bench.ts';
import type { Json } from './bgp-model.ts';
import {
  awsJudged,
  condition,
  config,
  configDecided,
  notice,
  routing,
  routingDecided,
  standing,
} from './bgp-scene.ts';

const patched = condition('NetworkOperatorPatched', 'True', 'Patched');
const waiting = condition('FRRNamespaceReady', 'False', 'WaitingForFRR', 'no pod is Ready');
const ready = condition('FRRNamespaceReady', 'True', 'Ready');
const found = condition('AWSEndpointsDiscovered', 'True', 'Discovered');

const cluster = (bench: RoutingBench): Json => bench.model.get('cudnbgpconfigs', 'cluster');
const minutes = (count: number): number => count * 60_000;

async function opened(aws = false): Promise<{ bench: RoutingBench; uid: string }> {
  const bench = new Bench();
  const uid = config(bench, aws);
  await bench.rest();
  return { bench, uid };
}

describe('the status of a CUDNBgpConfig', () => {
  it('is not written before something was decided of it', async () => {
    const { bench } = await opened();
    bench.hear('bgp', configDecided('another', 'Ready', [ready]));
    assert.deepEqual((await bench.rest()).writes(), []);
  });

  it('has the conditions that were decided, in Kubernetes form, after the finalizer', async () => {
    const { bench, uid } = await opened();
    bench.hear('bgp', configDecided(uid, 'Configuring', [patched, waiting]));
    await bench.rest();
    assert.deepEqual(bench.writes(), [
      'PATCH cudnbgpconfigs/cluster',
      'PATCH cudnbgpconfigs/cluster/status',
    ]);
    assert.deepEqual(cluster(bench).metadata.finalizers, ['networking.openshift.io/cudnbgpconfig']);
    const time = '2026-01-05T12:00:00Z';
    assert.deepEqual(cluster(bench).status, {
      phase: 'Configuring',
      observedGeneration: 1,
      conditions: [
        { ...patched, observedGeneration: 1, lastTransitionTime: time },
        { ...waiting, observedGeneration: 1, lastTransitionTime: time },
      ],
    });
    assert.equal(bench.outcomes().at(-1)?.said.startsWith('wrote finalizer and status'), true);
  });

  it('keeps the time of a condition while its status stays, whatever its words are', async () => {
    const { bench, uid } = await opened();
    bench.hear('bgp', configDecided(uid, 'Configuring', [waiting]));
    await bench.rest();
    await bench.pass(minutes(5));
    const other = { ...waiting, message: 'the pod on node a is not Ready' };
    bench.hear('bgp', configDecided(uid, 'Configuring', [other]));
    await bench.rest();
    assert.equal(standing(bench, waiting.type).message, other.message);
    assert.equal(standing(bench, waiting.type).lastTransitionTime, '2026-01-05T12:00:00Z');
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    await bench.rest();
    assert.equal(standing(bench, waiting.type).lastTransitionTime, '2026-01-05T12:05:00Z');
  });

  it('is not written again when the same is decided, nor when others decide nothing', async () => {
    const { bench, uid } = await opened();
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    await bench.rest();
    bench.writes();
    await bench.pass(minutes(1));
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    bench.hear('bgp', configDecided(uid, 'Ready', [ready], { wasReady: true }));
    assert.deepEqual((await bench.rest()).writes(), []);
  });

  it('is restored when somebody writes it, with the times that it had', async () => {
    const { bench, uid } = await opened();
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    await bench.rest();
    const before = structuredClone(cluster(bench).status);
    await bench.pass(minutes(1));
    bench.writes();
    bench.model.edit(
      'cudnbgpconfigs',
      'cluster',
      (object) => (object.status = { phase: 'Pending' }),
    );
    await bench.rest();
    assert.deepEqual(bench.writes(), ['PATCH cudnbgpconfigs/cluster/status']);
    assert.deepEqual(cluster(bench).status, before);
  });

  it('is the same after a restart, in whatever order the log is read', async () => {
    const { bench, uid } = await opened(true);
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found], { status: '{"routeServers":[]}' }));
    await bench.rest();
    bench.writes();
    bench.outcomes();
    await bench.restart();
    await bench.restart((log) => log.toReversed());
    assert.deepEqual([bench.writes(), bench.outcomes()], [[], []]);
  });

  it('says of which generation it speaks, and not more than was judged', async () => {
    const { bench, uid } = await opened();
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    await bench.rest();
    bench.model.edit('cudnbgpconfigs', 'cluster', ({ spec }) => (spec.bgp.localASN = 65_002));
    await bench.rest();
    assert.deepEqual(
      [cluster(bench).metadata.generation, cluster(bench).status.observedGeneration],
      [2, 1],
    );
    bench.hear('bgp', configDecided(uid, 'Ready', [ready], { generation: 2 }));
    await bench.rest();
    assert.equal(cluster(bench).status.observedGeneration, 2);
  });
});

describe('a CUDNBgpConfig in AWS', () => {
  it('has the conditions of both rooms, the worse phase, and what was found', async () => {
    const { bench, uid } = await opened(true);
    const failed = condition('AWSEndpointsDiscovered', 'False', 'AWSDiscoveryFailed', 'denied');
    const status = '{"routeServers":[{"remoteASN":64512,"routeServerID":"rs-1"}]}';
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    bench.hear('aws-sync', awsJudged(uid, 'Degraded', [failed], { status, generation: 1 }));
    await bench.rest();
    const { phase, conditions, aws } = cluster(bench).status;
    assert.deepEqual([phase, conditions.length], ['Degraded', 2]);
    assert.deepEqual(aws, JSON.parse(status));
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found]));
    await bench.rest();
    assert.deepEqual(
      [cluster(bench).status.phase, cluster(bench).status.aws],
      ['Ready', undefined],
    );
  });

  it('keeps its finalizer until aws-sync has let go, and before it has said anything', async () => {
    const { bench, uid } = await opened(true);
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    await bench.rest();
    bench.model.remove('cudnbgpconfigs', 'cluster');
    bench.hear('bgp', configDecided(uid, 'Ready', [ready], { finalizer: false }));
    await bench.rest();
    assert.equal(cluster(bench).metadata.finalizers.length, 1);
    bench.hear('aws-sync', awsJudged(uid, 'Configuring', [found]));
    await bench.rest();
    assert.equal(cluster(bench).metadata.finalizers.length, 1);
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found], { released: true }));
    await bench.rest();
    assert.equal(cluster(bench), undefined);
  });
});

describe('the finalizer of a CUDNBgpRouting', () => {
  const prod = (bench: RoutingBench): Json => bench.model.get('cudnbgproutings', 'prod');
  const own = 'networking.openshift.io/cudnbgprouting';
  const created = condition('CUDNCreated', 'True', 'Created');

  it('joins those of others, and leaves them when it goes', async () => {
    const bench = new Bench();
    const uid = routing(bench);
    bench.model.edit('cudnbgproutings', 'prod', ({ metadata }) => {
      metadata.finalizers = ['example.com/one', 'example.com/two'];
    });
    bench.hear('bgp', routingDecided(uid, 'Ready', [created]));
    await bench.rest();
    assert.deepEqual(prod(bench).metadata.finalizers.slice(-1), [own]);
    bench.model.edit('cudnbgproutings', 'prod', ({ metadata }) => metadata.finalizers.reverse());
    bench.model.remove('cudnbgproutings', 'prod');
    await bench.rest();
    assert.equal(
      prod(bench).metadata.finalizers.length,
      3,
      'nothing is taken before it is decided',
    );
    bench.hear('bgp', routingDecided(uid, 'Configuring', [created], { finalizer: false }));
    await bench.rest();
    assert.deepEqual(prod(bench).metadata.finalizers, ['example.com/two', 'example.com/one']);
  });

  it('is not put on an object that is being deleted', async () => {
    const bench = new Bench();
    const uid = routing(bench);
    bench.model.edit(
      'cudnbgproutings',
      'prod',
      ({ metadata }) => (metadata.finalizers = ['x.y/z']),
    );
    bench.model.remove('cudnbgproutings', 'prod');
    bench.hear('bgp', routingDecided(uid, 'Pending', [created]));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['PATCH cudnbgproutings/prod/status']);
  });

  it('goes at last: nothing is written to what is gone, and it is forgotten', async () => {
    const bench = new Bench();
    const uid = routing(bench);
    bench.hear('bgp', routingDecided(uid, 'Ready', [created]));
    await bench.rest();
    bench.model.remove('cudnbgproutings', 'prod');
    await bench.rest();
    bench.writes();
    bench.hear('bgp', routingDecided(uid, 'Configuring', [created], { finalizer: false }));
    await bench.rest();
    assert.deepEqual(bench.writes(), ['PATCH cudnbgproutings/prod']);
    bench.hear('bgp', { kind: 'ResourceForgotten', resource: 'cudnbgprouting', name: 'prod', uid });
    await bench.rest();
    assert.deepEqual([...bench.world.routing.resources], []);
    assert.deepEqual(bench.writes(), []);
  });
});

describe('Kubernetes Events on a resource', () => {
  it('are recorded once each, those of both rooms, over restarts', async () => {
    const { bench, uid } = await opened(true);
    const notices = [notice('Ready', 'four conditions are True')];
    bench.hear('bgp', configDecided(uid, 'Ready', [ready], { notices }));
    const theirs = [notice('Configuring', 'peers are being made')];
    bench.hear('aws-sync', awsJudged(uid, 'Configuring', [found], { notices: theirs }));
    await bench.rest();
    const told = bench.model.events.map(({ reason, note, regarding }: Json) => [
      ...[reason, note, regarding.kind, regarding.name],
    ]);
    assert.deepEqual(told, [
      ['Ready', 'four conditions are True', 'CUDNBgpConfig', 'cluster'],
      ['Configuring', 'peers are being made', 'CUDNBgpConfig', 'cluster'],
    ]);
    await bench.restart();
    await bench.restart((log) => log.toReversed());
    assert.equal(bench.model.events.length, 2);
  });
});
