/** AWS: credentials, permissions, throttles and cut connections; what is told of them, and when. */
import assert from 'node:assert/strict';
import { ACCOUNT } from '../aws/principals.ts';
import { canonicalJson } from '../../core/canonical.ts';
import { calls, condition, living, node, scene, seen, standing, synced } from './aws-cluster.ts';

const MINUTE = 60_000;
const DISCOVERED = 'AWSEndpointsDiscovered';

describe('aws-sync: trouble', function () {
  this.timeout(60_000);
  it('credentials that are refused are told at once, and heal by themselves', async () => {
    const s = scene();
    const good = s.bench.key;
    s.bench.key = { ...good, secret: 'x', id: 'AKIAUNKNOWN00000000' };
    await s.bench.run(5_000);
    assert.equal(standing(s.bench, DISCOVERED), 'False AWSCredentialsInvalid');
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Degraded');
    await s.bench.run(5 * MINUTE);
    const tries = s.bench.aws.calls().length;
    assert.ok(tries <= 12, `${tries} calls in five minutes`);
    s.bench.key = good;
    await s.bench.run(MINUTE);
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
    assert.equal(living(s).length, 6);
  });

  it('temporary credentials that expire are renewed without a word', async () => {
    const s = scene();
    await s.bench.run(2 * MINUTE);
    const said = s.bench.said.length;
    s.bench.aws.fault({ action: 'DescribeRouteServers', kind: 'expired' });
    await s.bench.run(5 * MINUTE);
    const kinds = s.bench.said.slice(said).map(({ event }) => event.kind);
    assert.deepEqual(new Set(kinds), new Set(['AwsJudged']));
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
  });

  it('a missing permission to create is named as AWS names it; other work goes on', async () => {
    const s = scene();
    s.bench.aws.deny('ec2:AuthorizeSecurityGroupIngress');
    await s.bench.run(2 * MINUTE);
    assert.equal(standing(s.bench), 'False Unauthorized');
    const { message = '' } = condition(s.bench, 'AWSResourcesReconciled') ?? {};
    assert.match(message, /ec2:AuthorizeSecurityGroupIngress is not allowed/);
    assert.equal(calls(s, 'ModifyNetworkInterfaceAttribute'), 3);
    assert.ok(calls(s, 'CreateRouteServerPeer') <= 6 * 5);
    s.bench.aws.allow('ec2:AuthorizeSecurityGroupIngress');
    await s.bench.run(MINUTE);
    assert.equal(standing(s.bench), 'True Reconciled');
  });

  it('no account id and no encoded message is ever said', async () => {
    const s = scene();
    for (const action of ['CreateRouteServerPeer', 'DescribeInstances', 'CreateTags'])
      s.bench.aws.deny(action);
    await s.bench.run(MINUTE);
    s.bench.aws.deny('DescribeRouteServers');
    await s.bench.run(MINUTE);
    const text = canonicalJson(s.bench.said);
    assert.match(text, /is not allowed/);
    assert.ok(!text.includes(ACCOUNT));
    assert.doesNotMatch(text, /[A-Za-z0-9+/_-]{80,}/);
    assert.doesNotMatch(text, /arn:aws:iam::\d/);
  });

  it('a throttle is no outage: it is told after two minutes', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    const said = s.bench.said.length;
    s.bench.aws.fault({ action: 'DescribeRouteServers', kind: 'throttle', times: Infinity });
    await s.bench.run(50_000);
    assert.ok(s.bench.aws.calls().some(({ code }) => code === 'RequestLimitExceeded'));
    assert.equal(s.bench.said.length, said, 'less than two minutes after the last good look');
    await s.bench.run(30_000);
    assert.equal(standing(s.bench, DISCOVERED), 'False AWSDiscoveryFailed');
    assert.equal(standing(s.bench, 'AWSResourcesReconciled'), 'Unknown NotDiscovered');
    s.bench.aws.clearFaults();
    await s.bench.run(90_000);
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
    s.bench.aws.check();
  });

  it('a connection that is refused at the start is waited for', async () => {
    const s = scene();
    s.bench.network.isCut = true;
    await s.bench.run(110_000);
    assert.notEqual(standing(s.bench, DISCOVERED), 'False AWSDiscoveryFailed');
    await s.bench.run(MINUTE);
    assert.equal(standing(s.bench, DISCOVERED), 'False AWSDiscoveryFailed');
    s.bench.network.isCut = false;
    await s.bench.run(90_000);
    assert.equal(s.bench.last('AwsJudged')?.phase, 'Ready');
  });

  it('a region without the service is told at once', async () => {
    const s = scene();
    s.bench.region.state.disabled = true;
    await s.bench.run(5_000);
    assert.equal(standing(s.bench, DISCOVERED), 'False AWSDiscoveryFailed');
  });

  for (const kind of ['fail-after-apply', 'lost-reply', 'hang-after-apply'] as const)
    it(`a create with ${kind} is looked for before it is tried again`, async () => {
      const s = scene();
      s.bench.aws.fault({ action: 'CreateRouteServerPeer', kind, times: 6 });
      await s.bench.run(5 * MINUTE);
      assert.equal(living(s).length, 6);
      assert.equal(calls(s, 'CreateRouteServerPeer'), 6);
      assert.equal(standing(s.bench), 'True Reconciled');
      s.bench.aws.check();
    });

  it('also where it is untagged, the listing lags and nothing may be adopted', async () => {
    const manners = { tagOnCreate: false, lagsMs: [0, 9_000, 25_000] };
    const s = scene({ manners, aws: { adoptionPolicy: 'Never' } });
    s.bench.aws.fault({ action: 'CreateRouteServerPeer', kind: 'lost-reply', times: 3 });
    await s.bench.run(8 * MINUTE);
    assert.equal(calls(s, 'CreateRouteServerPeer'), 6);
    assert.equal(standing(s.bench), 'True Reconciled');
    s.bench.aws.check();
  });

  it('a log lost just after a create: what listings may not show yet is awaited', async () => {
    const s = scene({ manners: { lagsMs: [25_000] } });
    await s.bench.until('the first peer is made', MINUTE, () => living(s).length > 0);
    const aws = '{"routeServers":[]}';
    const status = { phase: 'Progressing', observedGeneration: 1, conditions: [], aws };
    s.bench.forget(...synced, ...s.nodes, seen({ ...s.config, status }));
    await s.bench.run(2 * MINUTE);
    assert.equal(calls(s, 'CreateRouteServerPeer'), 6, 'none was made twice');
    assert.equal(standing(s.bench), 'True Reconciled');
    s.bench.aws.check();
  });

  it('where nothing was made before, the first peers do not wait for anything', async () => {
    const s = scene();
    await s.bench.until('all peers are made', 20_000, () => living(s).length === 6);
  });

  it('a duplicate that AWS refuses is looked at again', async () => {
    const s = scene({ manners: { duplicatePeers: 'reject', lagsMs: [0, 60_000] } });
    const [endpoint] = s.made.endpoints;
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '');
    await s.bench.run(5 * MINUTE);
    assert.equal(standing(s.bench), 'True Reconciled');
    assert.equal(living(s).length, 6);
  });

  it('one endpoint that refuses every create holds up no other', async () => {
    const s = scene();
    const when = { RouteServerEndpointId: s.made.endpoints[0]?.id ?? '' };
    s.bench.aws.fault({
      ...{ action: 'CreateRouteServerPeer', kind: 'error', when, times: Infinity },
      ...{ code: 'InvalidParameterValue', message: 'not today' },
    });
    await s.bench.run(2 * MINUTE);
    assert.equal(living(s).length, 5);
    assert.match(condition(s.bench, 'AWSResourcesReconciled')?.message ?? '', /8 ok, 1 failed/);
  });

  it('no mutation follows a failed listing', async () => {
    const s = scene();
    await s.bench.run(MINUTE);
    s.bench.aws.fault({ action: 'DescribeRouteServerPeers', kind: 'internal', times: Infinity });
    const machine = s.bench.region.instance({ subnet: s.made.subnets[0]?.id ?? '' });
    s.bench.hear(node('worker-9', machine));
    const before = s.bench.aws.mutations().length;
    await s.bench.run(90_000);
    assert.equal(s.bench.aws.mutations().length, before);
    s.bench.aws.check();
  });
});

describe('aws-sync: at rest', function () {
  this.timeout(60_000);
  it('an hour costs at most five calls a minute, all of them reads, and not a word', async () => {
    const s = scene();
    await s.bench.run(2 * MINUTE);
    const said = s.bench.said.length;
    s.bench.aws.clearLog();
    s.bench.aws.rest(5 * 60);
    await s.bench.run(60 * MINUTE);
    assert.equal(s.bench.said.length, said);
    assert.equal(s.bench.aws.calls().length, 4 * 60);
    s.bench.aws.check();
  });

  it('a restart says nothing and changes nothing', async () => {
    const s = scene();
    await s.bench.run(2 * MINUTE);
    const said = s.bench.said.length;
    const changes = s.bench.aws.mutations().length;
    s.bench.restart();
    await s.bench.run(3 * MINUTE);
    assert.deepEqual(
      s.bench.said.slice(said).map(({ event }) => event.kind),
      [],
    );
    assert.equal(s.bench.aws.mutations().length, changes);
  });
});
