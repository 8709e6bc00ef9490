/** What was said of an earlier spec, or of another wish, says nothing of the one that is there. */
import assert from 'node:assert/strict';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { Event } from '../../core/event.ts';
import { usualTimes } from '../../services/aws-sync/input.ts';
import { awsSync } from '../../services/aws-sync/room.ts';
import { RoutingBench } from '../publisher/bgp-bench.ts';
import {
  awsJudged,
  condition,
  config as configObject,
  configDecided,
  standing,
} from '../publisher/bgp-scene.ts';
import { Field } from './field.ts';
import { givenConfig, neighbor, zone, zones3 } from './givens.ts';

const aws = {
  ...{ region: 'us-east-1', routeServerIDs: ['rs-1'], adoptionPolicy: 'IfMatches' },
  ...{ sourceDestCheckScope: 'RouterNodes', restoreSourceDestCheck: false },
};
const inAws = (generation: number): BgpConfig => givenConfig({ zones: [], aws, generation });

describe('a CUDNBgpConfig whose spec is edited', () => {
  it('waits for AWS again when it has AWS again, whatever was said in between', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1), generation: 2 }));
    field.tellAws(awsJudged('uid-config', 'Ready', [], { generation: 2, released: true }));
    field.rest();
    assert.equal(field.configState().phase, 'Ready');
    field.config(inAws(3));
    field.rest();
    assert.equal(field.configState().phase, 'Configuring');
    field.tellAws(awsJudged('uid-config', 'Degraded', [], { generation: 3 }));
    field.rest();
    assert.equal(field.configState().phase, 'Degraded');
  });

  it('is not released from AWS by what was said of a spec without AWS', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ generation: 2 }));
    field.tellAws(awsJudged('uid-config', 'Ready', [], { generation: 2, released: true }));
    field.rest();
    field.config({ ...inAws(4), deleting: true, finalizers: ['ours'] });
    field.rest();
    assert.equal(field.condition('DeletionBlocked'), 'True AWSResourcesExist');
    field.tellAws(awsJudged('uid-config', 'Ready', [], { generation: 4, released: true }));
    field.rest();
    assert.equal(field.configs.size, 0);
  });

  it('asks no more for what did not come about; what runs goes on while AWS is read', () => {
    const field = Field.withNodes('ab');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    field.publisherAsleep = true;
    field.config(givenConfig({ zones: zones3.slice(0, 2), generation: 2 }));
    field.rest();
    const wanted = (name: string): string => field.todo.get(`FRRConfiguration/${name}`)?.want ?? '';
    assert.equal(wanted('cudn-bgp-us-east-1b'), 'present', 'it cannot be made');
    field.config(inAws(3));
    field.rest();
    assert.equal(wanted('cudn-bgp-us-east-1b'), 'absent');
    assert.equal(wanted('cudn-bgp-us-east-1a'), 'present');
    field.publisherAsleep = false;
    field.rest();
    assert.deepEqual(field.names('FRRConfiguration'), ['cudn-bgp-us-east-1a']);
    assert.equal(field.condition('FRRConfigurationApplied'), 'Unknown WaitingForNeighbors');
  });

  it('asks no more for an edit that was refused before it moved to AWS', () => {
    const field = Field.withNodes('a');
    field.config(givenConfig({ zones: zones3.slice(0, 1) }));
    field.rest();
    const running = field.object('FRRConfiguration', 'cudn-bgp-us-east-1a')?.spec;
    field.publisherAsleep = true;
    field.config(givenConfig({ zones: [zone('a', '10.0.1.99')], generation: 2 }));
    field.rest();
    field.config(inAws(3));
    field.rest();
    assert.equal(field.todo.get('FRRConfiguration/cudn-bgp-us-east-1a')?.spec, running);
  });
});

describe('a CUDNBgpConfig that an old schema lets through', () => {
  const wrongs: readonly (readonly [string, Partial<BgpConfig>])[] = [
    ['spec.bgp.localASN: 0 is no ASN', { localASN: 0 }],
    ['spec.bgp.livenessDetection: "ping" is neither', { livenessDetection: 'ping' }],
    ['spec.bgp.connectTime: "soon" is no time', { connectTime: 'soon' }],
    [
      'spec.routerNodeSelector: "not/a/key" is no label key',
      { routerNodeSelector: { 'not/a/key': '' } },
    ],
    ['spec.aws and spec.bgp.availabilityZones exclude each other', { aws }],
    ['spec.bgp.availabilityZones: needed', { zones: [] }],
    [
      'availabilityZones[0].nodeSelector: zone: "a b" is no',
      { zones: [{ nodeSelector: { zone: 'a b' }, neighbors: [neighbor('10.0.1.1')] }] },
    ],
    [
      'availabilityZones[0].neighbors: at least one',
      { zones: [{ nodeSelector: {}, neighbors: [] }] },
    ],
    [
      'availabilityZones[0].neighbors[0].address: "10.0.0.300" is no',
      { zones: [zone('a', '10.0.0.300')] },
    ],
    [
      'availabilityZones[0].neighbors[0].remoteASN: 0 is no',
      { zones: [{ nodeSelector: {}, neighbors: [neighbor('10.0.1.1', 0)] }] },
    ],
    [
      'neighbors[1].remoteASN: ::ffff:10.0.1.1 has 2 here and 1 before',
      {
        zones: [
          {
            nodeSelector: {},
            neighbors: [neighbor('10.0.1.1', 1), neighbor('::ffff:10.0.1.1', 2)],
          },
        ],
      },
    ],
  ];
  for (const [words, more] of wrongs)
    it(`is told which field is wrong: ${words}`, () => {
      const field = Field.withNodes('a');
      field.config(givenConfig({ zones: zones3.slice(0, 1), ...more }));
      field.rest();
      assert.equal(field.condition('FRRConfigurationApplied'), 'False InvalidSpec');
      assert.ok(field.message('FRRConfigurationApplied').includes(words));
      assert.equal(field.configState().phase, 'Degraded');
      assert.deepEqual(field.names('FRRConfiguration'), []);
    });

  it('goes on with what runs, until it is mended', () => {
    const field = Field.withNodes('a');
    const zones = zones3.slice(0, 1);
    field.config(givenConfig({ zones }));
    field.rest();
    const before = field.object('FRRConfiguration', 'cudn-bgp-us-east-1a');
    field.config(givenConfig({ zones, localASN: 0, generation: 2 }));
    field.rest();
    assert.deepEqual(field.object('FRRConfiguration', 'cudn-bgp-us-east-1a'), before);
    assert.equal(field.condition('SessionsEstablished'), 'Unknown InvalidSpec');
    field.config(givenConfig({ zones, generation: 3 }));
    field.rest();
    assert.equal(field.configState().phase, 'Ready');
  });
});

describe('aws-sync, of a CUDNBgpConfig that has AWS again', () => {
  it('says that it waits, though it had said before that nothing is left', () => {
    const room = awsSync({ times: usualTimes, peersPerEndpoint: 20 });
    const world = room.fresh();
    let sequence = 0;
    const hear = (stream: 'watcher' | 'aws-sync', event: Event): void =>
      room.fold(world, { stream, sequence: ++sequence, atMs: 1, causes: [], said: '', event });
    hear('aws-sync', awsJudged('uid-config', 'Ready', [], { generation: 2, released: true }));
    room.sense(world, { kind: 'Now', nowMs: 2 } as never);
    hear('watcher', { kind: 'BgpConfigSeen', config: inAws(3) });
    const says = room.decide(world).says.map(({ event }) => event);
    const [judged] = says.filter((event) => event.kind === 'AwsJudged');
    assert.deepEqual(
      [judged?.generation, judged?.phase, judged?.released, judged?.conditions[0]?.reason],
      [3, 'Pending', false, 'Waiting'],
    );
  });
});

describe('the status of a CUDNBgpConfig in AWS whose spec is edited', () => {
  const found = condition('AWSEndpointsDiscovered', 'True', 'Discovered');
  const ready = condition('FRRNamespaceReady', 'True', 'Ready');

  async function edited(): Promise<{ bench: RoutingBench; uid: string }> {
    const bench = new RoutingBench();
    const uid = configObject(bench, true);
    bench.hear('bgp', configDecided(uid, 'Ready', [ready]));
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found], { status: '{"routeServers":[]}' }));
    await bench.rest();
    bench.model.edit('cudnbgpconfigs', 'cluster', ({ spec }) => (spec.bgp.localASN = 65_002));
    await bench.rest();
    bench.writes();
    bench.hear('bgp', configDecided(uid, 'Configuring', [ready], { generation: 2 }));
    await bench.rest();
    return { bench, uid };
  }

  it('is written once when both rooms judge the edit within a second', async () => {
    const { bench, uid } = await edited();
    await bench.pass(500);
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found], { generation: 2 }));
    await bench.pass(5_000);
    assert.deepEqual(bench.writes(), ['PATCH cudnbgpconfigs/cluster/status']);
    assert.equal(standing(bench, found.type).status, 'True');
  });

  it('has nothing to say of AWS while aws-sync has not looked at the new spec', async () => {
    const { bench, uid } = await edited();
    await bench.pass(5_000);
    const {
      phase,
      observedGeneration,
      aws: shown,
    } = bench.model.get('cudnbgpconfigs', 'cluster').status;
    assert.deepEqual([phase, observedGeneration, shown], ['Configuring', 2, undefined]);
    const { status, reason, observedGeneration: of } = standing(bench, found.type);
    assert.deepEqual([status, reason, of], ['Unknown', 'NotJudged', 2]);
    bench.hear('bgp', configDecided(uid, 'Ready', [ready], { generation: 2 }));
    bench.hear('aws-sync', awsJudged(uid, 'Ready', [found], { generation: 2 }));
    await bench.rest();
    assert.equal(standing(bench, found.type).status, 'True');
  });
});

describe('a CUDNBgpConfig that is deleted before anything was switched on for it', () => {
  it('does not say that it is being switched on: nobody does it any more', () => {
    const field = Field.withNodes('a');
    field.config({ ...inAws(1), deleting: true, finalizers: ['ours'] });
    field.rest();
    assert.equal(field.condition('NetworkOperatorPatched'), 'Unknown Deleting');
    assert.equal(field.spec('Network', 'cluster') instanceof Object, true);
    assert.equal(field.condition('DeletionBlocked'), 'True AWSResourcesExist');
  });
});
