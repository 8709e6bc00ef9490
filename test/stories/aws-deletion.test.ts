/** AWS: nothing of ours is left behind, and nothing of others is taken along (`docs/aws.md`). */
import assert from 'node:assert/strict';
import { ORPHAN_AWS } from '../../core/annotation.ts';
import type { Event } from '../../core/event.ts';
import { topology } from '../aws/topology.ts';
import { calls, condition, living, node, scene, standing } from './aws-cluster.ts';

const MINUTE = 60_000;
const frr = (labels: Readonly<Record<string, string>>): Event => ({
  kind: 'ObjectSeen',
  seen: {
    ...{ object: 'FRRConfiguration', name: 'cudn-bgp-us-east-1a', uid: 'f', generation: 1 },
    ...{ labels, annotations: {}, finalizers: [], deleting: false, spec: '', conditions: [] },
  },
});
const ours = frr({ 'app.kubernetes.io/managed-by': 'cudn-bgp-routing-operator' });
const frrGone: Event = {
  ...{ kind: 'ObjectGone', object: 'FRRConfiguration', name: 'cudn-bgp-us-east-1a', uid: 'f' },
};
const routing: Event = {
  kind: 'BgpRoutingSeen',
  routing: {
    ...{ name: 'prod', uid: 'r', createdMs: 1, generation: 1, deleting: true, finalizers: [] },
    ...{ network: 'prod', subnets: [] },
    status: { phase: '', observedGeneration: 0, conditions: [], aws: '' },
  },
};

describe('aws-sync: deletion', function () {
  this.timeout(60_000);
  it('routings, FRRConfigurations, peers, each until it is gone, then the finalizer', async () => {
    const s = scene();
    const released = (): boolean => s.bench.last('AwsJudged')?.released === true;
    s.bench.hear(ours, routing);
    await s.bench.run(MINUTE);
    s.edit({ deleting: true });
    await s.bench.run(3 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0, 'a routing is still there');
    s.bench.hear({ kind: 'BgpRoutingGone', name: 'prod', uid: 'r' });
    await s.bench.run(3 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0, 'an FRRConfiguration is still there');
    assert.match(condition(s.bench, 'CleanupBlocked')?.message ?? '', /FRRConfigurations to go/);
    s.bench.hear(frrGone);
    await s.bench.run(5_000);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 6);
    assert.equal(released(), false, 'what is deleting is not deleted');
    await s.bench.run(30_000);
    assert.equal(released(), true);
    assert.deepEqual([living(s), s.bench.last('AwsJudged')?.status], [[], '']);
    s.bench.hear({ kind: 'BgpConfigGone', name: 'cluster', uid: 'uid-config' });
    await s.bench.run(5 * MINUTE);
    const before = s.bench.aws.calls().length;
    await s.bench.run(10 * MINUTE);
    assert.equal(s.bench.aws.calls().length, before, 'nobody to look after');
    s.bench.aws.check();
  });

  it('a routing that comes once bgp takes the sessions away brings nothing back', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    const going = {
      ...{ type: 'FRRConfigurationApplied', status: 'False', reason: 'Deleting', message: '' },
      ...{ observedGeneration: 2, sinceMs: 0 },
    };
    const status = { phase: 'Configuring', observedGeneration: 2, aws: '', conditions: [going] };
    s.edit({ deleting: true, status });
    s.bench.hear(routing);
    await s.bench.run(MINUTE);
    assert.deepEqual([living(s), s.bench.last('AwsJudged')?.released], [[], true]);
    assert.equal(calls(s, 'CreateRouteServerPeer'), 6);
  });

  it('an FRRConfiguration that does not go holds it up for five minutes at most', async () => {
    const s = scene();
    s.bench.hear(ours);
    await s.bench.run(MINUTE);
    s.edit({ deleting: true });
    await s.bench.run(4 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    await s.bench.run(3 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
  });

  it('bad credentials hold the finalizer, name what is left and the way out', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    const good = s.bench.key;
    s.bench.key = { ...good, id: 'AKIAUNKNOWN00000000' };
    s.bench.restart();
    s.edit({ deleting: true });
    await s.bench.run(10 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, false);
    assert.equal(standing(s.bench, 'CleanupBlocked'), 'True AWSCredentialsInvalid');
    const { message = '' } = condition(s.bench, 'CleanupBlocked') ?? {};
    for (const { id } of s.bench.region.livePeers()) assert.ok(message.includes(id), id);
    assert.ok(message.includes(`${ORPHAN_AWS}: "true"`));
    s.bench.key = good;
    await s.bench.run(2 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
    assert.deepEqual(living(s), []);
  });

  it('the annotation lets everything stay where it is', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    s.bench.key = { ...s.bench.key, id: 'AKIAUNKNOWN00000000' };
    s.edit({ deleting: true, annotations: { [ORPHAN_AWS]: 'true' } });
    await s.bench.run(MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
    assert.equal(living(s).length, 6);
  });

  it('one peer that cannot be deleted does not stop the others, and is named', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    const [stuck] = s.bench.region.livePeers();
    s.bench.aws.fault({
      ...{ action: 'DeleteRouteServerPeer', kind: 'error', times: Infinity },
      ...{ when: { RouteServerPeerId: stuck?.id ?? '' }, code: 'DependencyViolation' },
    });
    s.edit({ deleting: true });
    await s.bench.run(2 * MINUTE);
    assert.equal(living(s).length, 1);
    assert.equal(standing(s.bench, 'CleanupBlocked'), 'True AWSReconcileFailed');
    s.bench.aws.clearFaults();
    await s.bench.run(2 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
  });

  it('a pending peer is waited for, and adopted ones go too', async () => {
    const s = scene({ manners: { pendingMs: 60_000 } });
    const [endpoint] = s.made.endpoints;
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '');
    await s.bench.run(20_000);
    s.edit({ deleting: true });
    await s.bench.run(20_000);
    assert.equal(s.bench.last('AwsJudged')?.released, false);
    await s.bench.run(2 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
    assert.deepEqual(living(s), []);
    assert.equal(standing(s.bench, 'CleanupBlocked'), 'False Cleaned');
  });

  it('peers of another cluster stay', async () => {
    const s = scene();
    const tags = { 'managed-by': 'cudn-bgp-routing-operator/other' };
    s.bench.region.peer(s.made.endpoints[0]?.id ?? '', '10.0.1.77', { tags });
    await s.bench.run(MINUTE);
    s.edit({ deleting: true });
    await s.bench.run(2 * MINUTE);
    assert.equal(living(s).length, 1);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
    s.bench.aws.check();
  });

  it('checks are turned on again where that is asked for', async () => {
    const s = scene({ aws: { restoreSourceDestCheck: true } });
    await s.bench.run(MINUTE);
    s.edit({ deleting: true });
    await s.bench.run(3 * MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.released, true);
    assert.ok(s.bench.region.interfaces.every(({ sourceDestCheck }) => sourceDestCheck === true));
  });
});

describe('aws-sync: another scope', function () {
  this.timeout(60_000);
  it('a Route Server that is taken out of the spec loses our peers', async () => {
    const s = scene();
    const second = topology(s.bench.region, { nodes: 0 });
    s.edit({ aws: { ...s.config.aws!, routeServerIDs: [s.made.server.id, second.server.id] } });
    s.bench.hear(node('w', s.bench.region.instance({ subnet: second.subnets[0]?.id ?? '' })));
    await s.bench.run(MINUTE);
    assert.equal(s.bench.region.livePeers().length, 8);
    s.edit({ aws: { ...s.config.aws!, routeServerIDs: [second.server.id] } });
    await s.bench.run(2 * MINUTE);
    const left = new Set(s.bench.region.livePeers().map(({ endpointId }) => endpointId));
    assert.deepEqual(left, new Set(second.endpoints.slice(0, 2).map(({ id }) => id)));
  });

  it('another region: the old one is cleaned once the new one was discovered', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    const west = s.bench.aws.region('us-west-2');
    s.edit({ aws: { ...s.config.aws!, region: 'us-west-2', routeServerIDs: ['rs-0later'] } });
    await s.bench.run(5 * MINUTE);
    assert.equal(living(s).length, 6);
    assert.equal(s.bench.last('NeighborsSeen')?.groups.length, 3);
    s.bench.restart();
    const other = topology(west, { nodes: 0 });
    s.edit({ aws: { ...s.config.aws!, region: 'us-west-2', routeServerIDs: [other.server.id] } });
    s.bench.hear(node('w', west.instance({ subnet: other.subnets[0]?.id ?? '' })));
    await s.bench.run(3 * MINUTE);
    assert.deepEqual(living(s), []);
    assert.equal(west.livePeers().length, 2);
    s.bench.aws.check();
  });

  it('without spec.aws everything of ours goes, and then there is nothing to say', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    s.edit({ aws: undefined });
    await s.bench.run(2 * MINUTE);
    assert.deepEqual(living(s), []);
    const { conditions, status, released } = s.bench.last('AwsJudged') ?? {};
    assert.deepEqual([conditions, status, released], [[], '', true]);
    const before = s.bench.aws.calls().length;
    await s.bench.run(10 * MINUTE);
    assert.equal(s.bench.aws.calls().length, before);
  });
});
