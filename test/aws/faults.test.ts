/** What goes wrong on the way: lost replies, failures after the effect, slow and silent servers. */
import assert from 'node:assert/strict';
import {
  CreateRouteServerPeerCommand,
  DescribeInstancesCommand,
  DescribeRouteServerPeersCommand,
  DescribeRouteServersCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { eventually } from '../controlplane/wait.ts';
import type { FaultKind } from './fault.ts';
import { openStage, refusalOf, type Stage } from './stage.ts';
import { topology, type Topology } from './topology.ts';

describe('EC2 emulator: faults', () => {
  let stage: Stage;
  let made: Topology;
  beforeEach(async () => {
    stage = await openStage();
    made = topology(stage.region);
  });
  afterEach(() => stage.close());

  const create = (client: EC2Client) =>
    client.send(
      new CreateRouteServerPeerCommand({
        RouteServerEndpointId: made.endpoints[0]?.id ?? '',
        PeerAddress: '10.0.1.10',
        BgpOptions: { PeerAsn: 65_001 },
      }),
    );
  const list = () => stage.ec2.send(new DescribeRouteServerPeersCommand({}));

  const refusals: readonly (readonly [FaultKind, string, number])[] = [
    ['throttle', 'RequestLimitExceeded', 503],
    ['unavailable', 'Unavailable', 503],
    ['internal', 'InternalError', 500],
    ['expired', 'RequestExpired', 400],
    ['error', 'InternalError', 400],
  ];
  for (const [kind, code, status] of refusals) {
    it(`"${kind}" answers ${code}, once, without effect`, async () => {
      stage.aws.world.fault({ action: 'CreateRouteServerPeer', kind });
      const refused = await refusalOf(create(stage.ec2));
      assert.deepEqual([refused.code, refused.status], [code, status]);
      assert.deepEqual(stage.region.peers, []);
      await create(stage.ec2);
    });
  }

  it('an error of any code can be ordered', async () => {
    const fault = { action: '*', kind: 'error', code: 'Blocked', status: 400 } as const;
    stage.aws.world.fault({ ...fault, message: 'This account is blocked' });
    const refused = await refusalOf(list());
    assert.deepEqual(refused, { code: 'Blocked', status: 400, message: 'This account is blocked' });
  });

  for (const kind of ['fail-after-apply', 'lost-reply'] as const) {
    it(`"${kind}": a client that sends a create again has two peers, and I1 tells`, async () => {
      stage.aws.world.fault({ action: 'CreateRouteServerPeer', kind });
      await create(stage.ec2With({ maxAttempts: 3 }));
      const calls = stage.aws.world.calls('CreateRouteServerPeer');
      assert.deepEqual(
        calls.map(({ attempt, applied }) => [attempt, applied]),
        [
          [1, true],
          [2, true],
        ],
      );
      assert.match(stage.aws.world.violations().join(), /^I1: 2 peers/);
    });

    it(`"${kind}": a client that does not has one, and does not know`, async () => {
      stage.aws.world.fault({ action: 'CreateRouteServerPeer', kind });
      const refused = await refusalOf(create(stage.ec2));
      assert.equal(refused.status, kind === 'lost-reply' ? 0 : 500);
      assert.equal(stage.region.peers.length, 1);
      const [entry] = stage.aws.world.mutations();
      assert.equal(entry?.status, refused.status);
      stage.aws.world.check();
    });
  }

  it('a cut call has no effect', async () => {
    stage.aws.world.fault({ action: 'CreateRouteServerPeer', kind: 'cut' });
    assert.equal((await refusalOf(create(stage.ec2))).status, 0);
    assert.deepEqual(stage.region.peers, []);
  });

  for (const [kind, peers] of [
    ['hang', 0],
    ['hang-after-apply', 1],
  ] as const) {
    it(`"${kind}" never answers, and ${peers} peers are made`, async () => {
      stage.aws.world.fault({ action: 'CreateRouteServerPeer', kind });
      const requestHandler = { requestTimeout: 100, throwOnRequestTimeout: true };
      const refused = await refusalOf(create(stage.ec2With({ requestHandler })));
      assert.match(refused.code, /Timeout/i);
      assert.equal(stage.region.peers.length, peers);
    });
  }

  it('a slow reply comes when its time has come', async () => {
    stage.aws.world.fault({ action: 'DescribeRouteServerPeers', kind: 'slow', ms: 20_000 });
    let answered = false;
    const slow = list().then(() => (answered = true));
    await eventually('the reply waits', { withinMs: 9_000 }, () => stage.clock.sleeping === 1);
    stage.clock.advance(19_999);
    await stage.ec2.send(new DescribeRouteServersCommand({}));
    assert.equal(answered, false);
    stage.clock.advance(1);
    await slow;
  });

  it('a fault waits for its call: the second page, the third time, twice', async () => {
    const { world } = stage.aws;
    for (let host = 10; host < 22; host++)
      stage.region.peer(made.endpoints[0]?.id ?? '', `10.0.1.${host}`);
    const page = (NextToken?: string) =>
      stage.ec2.send(new DescribeRouteServerPeersCommand({ MaxResults: 5, NextToken }));
    const action = 'DescribeRouteServerPeers';
    world.fault({ action, kind: 'unavailable', when: { NextToken: '*' }, skip: 1, times: 2 });
    const { NextToken } = await page();
    await page(NextToken);
    assert.equal((await refusalOf(page(NextToken))).code, 'Unavailable');
    await page();
    assert.equal((await refusalOf(page(NextToken))).code, 'Unavailable');
    await page(NextToken);
    assert.deepEqual(world.counts(), { [`${action} ok`]: 4, [`${action} Unavailable`]: 2 });
  });

  it('a fault may hit one region, and be called off', async () => {
    const { world } = stage.aws;
    world.fault({ action: '*', kind: 'unavailable', region: 'eu-west-1', times: Infinity });
    await list();
    const there = stage.ec2With({ region: 'eu-west-1' });
    const ask = new DescribeInstancesCommand({});
    assert.equal((await refusalOf(there.send(ask))).code, 'Unavailable');
    assert.equal((await refusalOf(there.send(ask))).code, 'Unavailable');
    world.clearFaults();
    await there.send(ask);
  });

  it('the log tells each call with its parameters and its end', async () => {
    const { clock, aws } = stage;
    await refusalOf(
      stage.ec2.send(new DescribeInstancesCommand({ InstanceIds: ['i-0123456789abcdef0'] })),
    );
    const [entry] = aws.world.calls();
    const { userAgent, ...rest } = entry ?? { userAgent: '' };
    assert.match(userAgent, /aws-sdk-js/);
    assert.deepEqual(rest, {
      atMs: clock.nowMs(),
      account: '123456789012',
      region: 'us-east-1',
      keyId: aws.key.id,
      action: 'DescribeInstances',
      params: { 'InstanceId.1': 'i-0123456789abcdef0' },
      code: 'InvalidInstanceID.NotFound',
      status: 400,
      applied: false,
      attempt: 1,
    });
  });
});
