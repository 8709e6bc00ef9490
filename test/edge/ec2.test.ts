/** The door to AWS over HTTP: the SDK's own requests, answers and errors. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, CloudChange, CloudPeer } from '../../core/cloud-door.ts';
import { openClock } from '../../edge/clock.ts';
import { type AwsCloud, openAwsCloud } from '../../edge/ec2/cloud.ts';
import { hasCredentials } from '../../edge/ec2/environment.ts';
import { type Aws, openAws } from '../aws/open.ts';
import type { RegionControl } from '../aws/region.ts';
import { topology, type Topology } from '../aws/topology.ts';

const { signal } = new AbortController();
const REGION = 'us-east-1';
const OWNER = 'cudn-bgp-routing-operator/test';

function failureIn(answer: Answer<unknown>) {
  assert.ok('failure' in answer, 'it failed');
  return answer.failure;
}

function valueIn<T>(answer: Answer<T>): T {
  assert.ok('value' in answer, 'failure' in answer ? answer.failure.message : '');
  return answer.value;
}

describe('the door to AWS', function () {
  this.timeout(30_000);
  let aws: Aws;
  let cloud: AwsCloud;
  let region: RegionControl;
  let made: Topology;
  beforeEach(async () => {
    aws = await openAws({ manners: { pendingMs: 0, deletingMs: 0, invariants: [] } });
    region = aws.world.region(REGION);
    made = topology(region);
    const { endpoint, credentials } = aws.client;
    const connection = { endpoint, credentials, requestTimeout: 1_000 };
    cloud = openAwsCloud({
      ...{ clock: openClock(), random: () => 0, environment: true, connection },
    });
  });
  afterEach(async () => {
    cloud.close();
    await aws.close();
  });

  const create = (index = 0): Extract<CloudChange, { kind: 'create' }> => ({
    ...{ kind: 'create', endpoint: made.endpoints[index]?.id ?? '', owner: OWNER },
    ...{ address: made.nodes[0]?.address ?? '', asn: 4_200_000_001, liveness: 'bfd' },
  });
  const made1 = async (): Promise<CloudPeer> => {
    const peer = valueIn(await cloud.apply(REGION, create(), signal));
    assert.ok(peer);
    return peer;
  };

  it('reads servers, endpoints, subnets, peers and instances in one picture', async () => {
    region.peer(made.endpoints[0]?.id ?? '', '10.0.1.9', { tags: { 'managed-by': 'x/y' } });
    const ids = made.nodes.map(({ id }) => id);
    const answer = await cloud.discover(REGION, [...ids, 'i-0123456789abcdef0'], signal);
    const { servers, endpoints, subnets, peers, instances, blind } = valueIn(answer);
    assert.deepEqual(
      servers.map(({ id, asn, state, persistRoutes }) => [id, asn, state, persistRoutes]),
      [[made.server.id, 65_000, 'available', false]],
    );
    assert.deepEqual([endpoints.length, subnets.length, instances.length], [6, 3, 3]);
    assert.deepEqual(
      [peers[0]?.owner, peers[0]?.liveness, blind],
      ['x/y', 'bgp-keepalive', undefined],
    );
    const machine = made.nodes[0];
    const seen = instances.find(({ id }) => id === machine?.id);
    assert.deepEqual(seen, {
      ...{ id: machine?.id, state: 'running', zone: machine?.zone, interface: machine?.eni },
      ...{ subnet: machine?.subnet, address: machine?.address, sourceDestCheck: 'on' },
    });
    assert.equal(answer.calls.length, 5);
    const again = await cloud.discover(REGION, ids, signal);
    assert.equal(again.calls.length, 4, 'subnets are known by now');
  });

  it('a region where nothing is gives an empty picture', async () => {
    const { servers, peers } = valueIn(await cloud.discover('eu-west-1', [], signal));
    assert.deepEqual([servers, peers], [[], []]);
  });

  it('more instances than one filter takes are asked for in several calls', async () => {
    const more = Array.from({ length: 401 }, (_, index) => `i-0${String(index).padStart(16, '0')}`);
    const answer = await cloud.discover(REGION, more, signal);
    const calls = answer.calls.filter(({ action }) => action === 'DescribeInstances');
    assert.equal(calls.length, 3);
  });

  it('makes a peer with its tag, and deletes it after a fresh look', async () => {
    const peer = await made1();
    assert.deepEqual(
      [peer.state, peer.asn, peer.liveness, peer.owner],
      ['pending', 4_200_000_001, 'bfd', OWNER],
    );
    const change = { kind: 'delete' as const, id: peer.id, owner: OWNER, made: false };
    const answer = await cloud.apply(REGION, change, signal);
    assert.deepEqual(
      answer.calls.map(({ action }) => action),
      ['DescribeRouteServerPeers', 'DeleteRouteServerPeer'],
    );
    assert.ok(['deleting', 'deleted'].includes(valueIn(answer)?.state ?? ''));
    const again = await cloud.apply(REGION, change, signal);
    assert.equal(again.calls.length, 1, 'what is on its way out is not deleted again');
  });

  it('does not delete what has another tag by now, nor tag what has one', async () => {
    const peer = await made1();
    region.setPeer(peer.id, { tags: { 'managed-by': 'terraform' } });
    const { id } = peer;
    const remove = await cloud.apply(
      ...([REGION, { kind: 'delete', id, owner: OWNER, made: true }, signal] as const),
    );
    const tag = await cloud.apply(REGION, { kind: 'tag', id, owner: OWNER }, signal);
    assert.deepEqual([failureIn(remove).trouble, failureIn(tag).trouble], ['foreign', 'foreign']);
    assert.equal(aws.world.calls('DeleteRouteServerPeer').length, 0);
    assert.equal(aws.world.calls('CreateTags').length, 0);
  });

  it('tags an untagged peer, and turns a check off and on', async () => {
    const { id } = region.peer(made.endpoints[1]?.id ?? '', '10.0.1.9');
    valueIn(await cloud.apply(REGION, { kind: 'tag', id, owner: OWNER }, signal));
    assert.equal(region.peers.find((peer) => peer.id === id)?.tags['managed-by'], OWNER);
    const eni = made.nodes[0]?.eni ?? '';
    for (const sourceDestCheck of ['off', 'on']) {
      const change = { kind: 'check' as const, interface: eni, sourceDestCheck };
      valueIn(await cloud.apply(REGION, change, signal));
      const now = region.interfaces.find((one) => one.id === eni)?.sourceDestCheck;
      assert.equal(now, sourceDestCheck === 'on');
    }
  });

  for (const kind of ['fail-after-apply', 'lost-reply'] as const)
    it(`sends a create once, whatever becomes of the reply: ${kind}`, async () => {
      aws.world.fault({ action: 'CreateRouteServerPeer', kind, times: Infinity });
      const { trouble } = failureIn(await cloud.apply(REGION, create(), signal));
      assert.ok(trouble === 'server' || trouble === 'network', trouble);
      assert.equal(aws.world.calls('CreateRouteServerPeer').length, 1);
    });

  it('gives up an answer that does not come, and says network', async () => {
    aws.world.fault({ action: 'DescribeRouteServerPeers', kind: 'hang' });
    assert.equal(failureIn(await cloud.list(REGION, signal)).trouble, 'network');
  });

  it('names the action that is missing, without account and encoded message', async () => {
    aws.world.deny('ec2:AuthorizeSecurityGroupIngress');
    const failure = failureIn(await cloud.apply(REGION, create(), signal));
    assert.deepEqual(
      [failure.trouble, failure.action],
      ['permission', 'ec2:AuthorizeSecurityGroupIngress'],
    );
    assert.doesNotMatch(failure.message, /\d{12}|Encoded|[\w-]{60,}/);
  });

  for (const [what, fault, trouble] of [
    ['a throttle', { kind: 'throttle' }, 'throttled'],
    ['expired credentials', { kind: 'expired' }, 'identity'],
    ['an overloaded server', { kind: 'unavailable' }, 'server'],
    ['a cut connection', { kind: 'cut' }, 'network'],
    ['a state that does not allow it', { kind: 'error', code: 'IncorrectState' }, 'state'],
    ['a region that is not opted in', { kind: 'error', code: 'OptInRequired' }, 'configuration'],
    ['a quota', { kind: 'error', code: 'RouteServerPeerLimitExceeded' }, 'quota'],
    ['a duplicate', { kind: 'error', code: 'RouteServerPeerAlreadyExists' }, 'exists'],
    ['a bad value', { kind: 'error', code: 'InvalidParameterValue' }, 'refused'],
  ] as const)
    it(`${what} is of class ${trouble}`, async () => {
      aws.world.fault({ action: '*', ...fault });
      assert.equal(failureIn(await cloud.list(REGION, signal)).trouble, trouble);
    });

  it('nobody at the other end is the network', async () => {
    const connection = { ...aws.client, endpoint: 'http://127.0.0.1:1' };
    const lonely = openAwsCloud({
      ...{ clock: openClock(), random: () => 0, environment: true, connection },
    });
    assert.equal(failureIn(await lonely.identify(REGION, signal)).trouble, 'network');
    lonely.close();
  });

  it('bad keys are of class identity, for STS as for EC2', async () => {
    const credentials = { accessKeyId: 'AKIAUNKNOWN00000000', secretAccessKey: 'x' };
    const connection = { endpoint: aws.url, credentials };
    const stranger = openAwsCloud({
      ...{ clock: openClock(), random: () => 0, environment: true, connection },
    });
    assert.equal(failureIn(await stranger.identify(REGION, signal)).trouble, 'identity');
    assert.equal(failureIn(await stranger.list(REGION, signal)).trouble, 'identity');
    stranger.close();
  });
});

/** Sets variables for the time of a test, as they are injected into a pod. */
async function withEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  body: () => Promise<void>,
): Promise<void> {
  const before = { ...process.env };
  for (const name of Object.keys(process.env))
    if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    await body();
  } finally {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

describe('the door to AWS, with a web identity', function () {
  this.timeout(30_000);
  let aws: Aws;
  let folder = '';
  beforeEach(async () => {
    aws = await openAws({ manners: { invariants: [] } });
    folder = mkdtempSync(join(tmpdir(), 'sluice-aws-'));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await aws.close();
  });

  const open = (): AwsCloud =>
    openAwsCloud({
      ...{ clock: openClock(), random: () => 0 },
      environment: hasCredentials(process.env),
    });
  const tokenFile = (): string => join(folder, 'token');
  const environment = (role: string): Record<string, string> => ({
    ...{ AWS_ENDPOINT_URL: aws.url, AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile() },
    ...{ AWS_EC2_METADATA_DISABLED: 'true', HOME: folder },
  });

  it('the token is exchanged at the endpoint that serves both, and EC2 answers', async () => {
    writeFileSync(tokenFile(), aws.world.token());
    await withEnvironment(environment(aws.world.role()), async () => {
      const cloud = open();
      valueIn(await cloud.identify(REGION, signal));
      valueIn(await cloud.list(REGION, signal));
      assert.equal(aws.world.calls('AssumeRoleWithWebIdentity').length, 1, 'exchanged once');
      cloud.close();
    });
  });

  it('a wrong audience, or a role without trust, heals without a restart', async () => {
    writeFileSync(tokenFile(), aws.world.token({ audience: 'sts.amazonaws.com' }));
    await withEnvironment(environment(aws.world.role()), async () => {
      const cloud = open();
      assert.equal(failureIn(await cloud.identify(REGION, signal)).trouble, 'identity');
      assert.equal(failureIn(await cloud.list(REGION, signal)).trouble, 'identity');
      aws.world.role({ subjects: ['system:serviceaccount:other:other'] });
      writeFileSync(tokenFile(), aws.world.token());
      assert.equal(failureIn(await cloud.identify(REGION, signal)).trouble, 'identity');
      aws.world.role();
      valueIn(await cloud.identify(REGION, signal));
      valueIn(await cloud.list(REGION, signal));
      cloud.close();
    });
  });

  it('a token that was rotated is read again when the keys expire', async () => {
    writeFileSync(tokenFile(), aws.world.token());
    await withEnvironment(environment(aws.world.role()), async () => {
      const cloud = open();
      valueIn(await cloud.list(REGION, signal));
      writeFileSync(tokenFile(), aws.world.token({ subject: 'system:serviceaccount:x:y' }));
      aws.world.role({ subjects: ['system:serviceaccount:x:y'] });
      aws.world.expireKeys();
      assert.equal(failureIn(await cloud.list(REGION, signal)).trouble, 'identity');
      valueIn(await cloud.list(REGION, signal));
      cloud.close();
    });
  });

  it('an environment without anything says so: only a restart can help', async () => {
    const nothing = { AWS_ENDPOINT_URL: aws.url, AWS_EC2_METADATA_DISABLED: 'true', HOME: folder };
    await withEnvironment(nothing, async () => {
      const cloud = open();
      assert.equal(failureIn(await cloud.identify(REGION, signal)).trouble, 'environment');
      cloud.close();
    });
  });
});
