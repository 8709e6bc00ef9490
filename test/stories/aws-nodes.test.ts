/** AWS: what nodes look like in the field, and that one odd node hurts only itself. */
import assert from 'node:assert/strict';
import { must } from '../../core/assert.ts';
import { instanceOf } from '../../services/aws-sync/provider-id.ts';
import { calls, condition, living, node, scene, standing } from './aws-cluster.ts';

const MINUTE = 60_000;

describe('aws-sync: provider ids', function () {
  this.timeout(60_000);
  const zone = 'us-east-1a';
  for (const [text, expected] of [
    ['aws:///us-east-1a/i-0abc123', { id: 'i-0abc123', zone }],
    ['aws:////i-0abc123', { id: 'i-0abc123', zone: '' }],
    ['aws:///i-0abc123', { id: 'i-0abc123', zone: '' }],
    ['aws://us-east-1a/i-0abc123', { id: 'i-0abc123', zone }],
    ['i-0abc123', { id: 'i-0abc123', zone: '' }],
    ['aws:///us-east-1-bos-1a/i-0abc123', { id: 'i-0abc123', zone: 'us-east-1-bos-1a' }],
    ['gce:///zone/instance', undefined],
    ['aws:///us-east-1a/', undefined],
    ['aws://something', undefined],
    ['eks:///region/cluster/hybrid-1', undefined],
    ['aws:///us-east-1a/fargate-10-0-0-1', undefined],
    ['azure:///subscriptions/i-0abc', undefined],
    ['', undefined],
  ] as const)
    it(`${text || 'none'} is ${expected === undefined ? 'no instance' : expected.id}`, () => {
      assert.deepEqual(instanceOf(text), expected);
    });
});

describe('aws-sync: nodes', function () {
  this.timeout(60_000);
  it('an IPv6 address that stands first is not the peer address', async () => {
    const s = scene();
    const machine = must(s.made.nodes[0], 'a node');
    s.bench.hear(node('worker-0', machine, { internalIPs: ['fd00::5', machine.address] }));
    await s.bench.run(30_000);
    assert.equal(living(s).filter((one) => one.includes(machine.address)).length, 2);
  });

  it('of several InternalIPs that of the primary interface counts, in whatever order', async () => {
    const s = scene();
    const machine = must(s.made.nodes[0], 'a node');
    s.bench.hear(node('worker-0', machine, { internalIPs: ['10.0.1.250', machine.address] }));
    await s.bench.run(30_000);
    s.bench.hear(node('worker-0', machine, { internalIPs: [machine.address, '10.0.1.250'] }));
    await s.bench.run(5 * MINUTE);
    assert.deepEqual(
      [calls(s, 'CreateRouteServerPeer'), calls(s, 'DeleteRouteServerPeer')],
      [6, 0],
    );
  });

  for (const [what, given, words] of [
    ['no providerID', { providerID: '' }, 'worker-0 has no providerID'],
    ['an id of another cloud', { providerID: 'eks:///a/b' }, 'worker-0 is no EC2 instance'],
    ['no InternalIP', { internalIPs: [] }, 'worker-0 has no InternalIP'],
    ['IPv6 alone', { internalIPs: ['fd00::5'] }, 'worker-0 has no IPv4 address'],
    ['an unknown instance', { providerID: 'aws:///us-east-1a/i-0dead' }, 'EC2 does not know'],
  ] as const)
    it(`a node with ${what} keeps the peers that it has, and the others go on`, async () => {
      const s = scene();
      await s.bench.run(30_000);
      s.bench.hear(node('worker-0', must(s.made.nodes[0], 'a node'), given));
      await s.bench.run(20 * MINUTE);
      assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
      assert.equal(standing(s.bench, 'NodeInventoryComplete'), 'False NodesIncomplete');
      assert.match(condition(s.bench, 'NodeInventoryComplete')?.message ?? '', new RegExp(words));
      assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
      const [peer] = s.bench.region.livePeers();
      s.bench.region.setPeer(peer?.id ?? '', { state: 'deleting' });
      await s.bench.run(2 * MINUTE);
      s.bench.aws.check();
    });

  it('a stopped instance freezes its peers, a terminated one gives them up at once', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const id = s.made.nodes[0]?.id ?? '';
    s.bench.region.setInstance(id, { state: 'stopped' });
    await s.bench.run(5 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    s.bench.region.setInstance(id, { state: 'terminated' });
    await s.bench.run(70_000);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 2, 'although the Node object lingers');
    await s.bench.run(MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
    assert.match(condition(s.bench, 'NodeInventoryComplete')?.message ?? '', /terminated/);
  });

  it('a zone label that comes late is no zone of its own', async () => {
    const s = scene();
    const machine = must(s.made.nodes[0], 'a node');
    const labels = { bgp_router: 'true' };
    const providerID = `aws:////${machine.id}`;
    s.bench.hear(node('worker-0', machine, { labels, providerID }));
    await s.bench.run(30_000);
    assert.equal(living(s).length, 6);
    assert.ok(s.bench.last('NeighborsSeen')?.groups.every(({ zone }) => zone !== ''));
  });

  it('where instances may not be read, peers go by the zone', async () => {
    const s = scene();
    s.bench.aws.deny('DescribeInstances');
    await s.bench.run(30_000);
    assert.equal(living(s).length, 6);
    assert.equal(standing(s.bench), 'False Unauthorized');
    assert.match(
      condition(s.bench, 'AWSResourcesReconciled')?.message ?? '',
      /ec2:DescribeInstances is not allowed/,
    );
    s.bench.aws.allow('DescribeInstances');
    await s.bench.run(2 * MINUTE);
    assert.equal(standing(s.bench), 'True Reconciled');
  });

  it('router nodes in a zone without endpoints are named', async () => {
    const s = scene();
    const subnet = s.bench.region.subnet({ zone: 'us-east-1f' });
    s.bench.hear(node('worker-9', s.bench.region.instance({ subnet: subnet.id })));
    await s.bench.run(30_000);
    assert.match(condition(s.bench, 'ZonesCovered')?.message ?? '', /^worker-9 in us-east-1f/);
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
  });
});

describe('aws-sync: quota', function () {
  this.timeout(60_000);
  it('of 25 nodes in a zone 20 get peers, the same ones at both endpoints', async () => {
    const s = scene({ size: { zones: 1, nodes: 25 } });
    await s.bench.run(3 * MINUTE);
    const at = (index: number): string[] =>
      living(s)
        .filter((one) => one.startsWith(`${index}: `))
        .map((one) => one.slice(3));
    assert.equal(at(0).length, 20);
    assert.deepEqual(at(0), at(1));
    assert.equal(standing(s.bench), 'False PeerQuotaExceeded');
    assert.equal(
      s.bench.aws.counts()['CreateRouteServerPeer RouteServerPeerLimitExceeded'],
      undefined,
    );
    const before = living(s);
    s.bench.hear(node('aaa', s.bench.region.instance({ subnet: s.made.subnets[0]?.id ?? '' })));
    await s.bench.run(3 * MINUTE);
    assert.deepEqual(living(s), before, 'who has peers stays');
    s.bench.aws.check();
  });

  it('peers of others count, and so do those on their way out', async () => {
    const s = scene({ size: { zones: 1, nodes: 18 }, manners: { deletingMs: 90_000 } });
    const [endpoint] = s.made.endpoints;
    for (let host = 200; host < 205; host++)
      s.bench.region.peer(endpoint?.id ?? '', `10.0.1.${host}`, {
        state: host < 202 ? 'available' : 'deleting',
      });
    await s.bench.run(60_000);
    assert.ok(s.bench.region.livePeers().filter((p) => p.endpointId === endpoint?.id).length <= 20);
    await s.bench.run(3 * MINUTE);
    assert.equal(living(s).length, 36 + 2);
    assert.deepEqual(
      Object.keys(s.bench.aws.counts()).filter((key) => key.includes('Limit')),
      [],
    );
  });
});
