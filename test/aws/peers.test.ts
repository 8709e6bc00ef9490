/** Route Server peers over the wire: life cycle, tombstones, tags, quotas. */
import assert from 'node:assert/strict';
import {
  CreateRouteServerPeerCommand,
  type CreateRouteServerPeerCommandInput,
  CreateTagsCommand,
  DeleteRouteServerPeerCommand,
  DeleteTagsCommand,
  DescribeRouteServerPeersCommand,
  type RouteServerPeer,
} from '@aws-sdk/client-ec2';
import { openStage, refusalOf, type Stage } from './stage.ts';
import { topology, type Topology } from './topology.ts';

describe('EC2 emulator: peers', () => {
  let stage: Stage;
  let made: Topology;
  beforeEach(async () => {
    stage = await openStage();
    made = topology(stage.region);
  });
  afterEach(() => stage.close());

  const wanted = (
    given: Partial<CreateRouteServerPeerCommandInput> = {},
  ): CreateRouteServerPeerCommandInput => ({
    RouteServerEndpointId: made.endpoints[0]?.id ?? '',
    PeerAddress: '10.0.1.10',
    BgpOptions: { PeerAsn: 65_001 },
    ...given,
  });
  const create = async (
    given: Partial<CreateRouteServerPeerCommandInput> = {},
  ): Promise<RouteServerPeer> => {
    const answer = await stage.ec2.send(new CreateRouteServerPeerCommand(wanted(given)));
    assert.ok(answer.RouteServerPeer);
    return answer.RouteServerPeer;
  };
  const remove = (id: string) =>
    stage.ec2.send(new DeleteRouteServerPeerCommand({ RouteServerPeerId: id }));
  const list = async (): Promise<RouteServerPeer[]> =>
    (await stage.ec2.send(new DescribeRouteServerPeersCommand({}))).RouteServerPeers ?? [];
  const tagged = [
    { ResourceType: 'route-server-peer' as const, Tags: [{ Key: 'managed-by', Value: 'x/y' }] },
  ];

  it('a region without peers has an empty list', async () => {
    assert.deepEqual(await list(), []);
  });

  it('a created peer is pending with its session down, and available after a while', async () => {
    const peer = await create({ TagSpecifications: tagged });
    const [endpoint] = made.endpoints;
    assert.deepEqual(peer, {
      RouteServerPeerId: peer.RouteServerPeerId,
      RouteServerEndpointId: endpoint?.id,
      RouteServerId: made.server.id,
      VpcId: stage.region.vpc,
      SubnetId: made.subnets[0]?.id,
      State: 'pending',
      EndpointEniId: endpoint?.eniId,
      EndpointEniAddress: endpoint?.address,
      PeerAddress: '10.0.1.10',
      BgpOptions: { PeerAsn: 65_001, PeerLivenessDetection: 'bgp-keepalive' },
      BgpStatus: { Status: 'down' },
      BfdStatus: { Status: 'down' },
      Tags: [{ Key: 'managed-by', Value: 'x/y' }],
    });
    assert.match(peer.RouteServerPeerId ?? '', /^rsp-[0-9a-f]{17}$/);
    stage.clock.advance(4_999);
    assert.equal((await list())[0]?.State, 'pending');
    stage.clock.advance(1);
    assert.equal((await list())[0]?.State, 'available');
    stage.aws.world.check();
  });

  it('a deleted peer stays listed as a tombstone with its tags', async () => {
    const id = (await create({ TagSpecifications: tagged })).RouteServerPeerId ?? '';
    const early = await refusalOf(remove(id));
    assert.deepEqual([early.code, early.status], ['IncorrectState', 400]);
    stage.clock.advance(5_000);
    assert.equal((await remove(id)).RouteServerPeer?.State, 'deleting');
    assert.equal((await refusalOf(remove(id))).code, 'IncorrectState');
    stage.clock.advance(10_000);
    const [tombstone] = await list();
    assert.equal(tombstone?.State, 'deleted');
    assert.equal(tombstone?.Tags?.length, 1);
    assert.equal((await refusalOf(remove(id))).code, 'IncorrectState');
    stage.clock.advance(240 * 60_000);
    assert.deepEqual(await list(), []);
    assert.equal((await refusalOf(remove(id))).code, 'InvalidRouteServerPeerId.NotFound');
  });

  it('a peer that is doomed becomes failed, with the reason', async () => {
    stage.region.doom('10.0.1.10', 'no route to the peer');
    await create();
    stage.clock.advance(5_000);
    const [peer] = await list();
    assert.equal(peer?.State, 'failed');
    assert.equal(peer?.FailureReason, 'no route to the peer');
  });

  it('a peer that a test has flipped stays as it is, whatever it was about to become', async () => {
    const id = (await create()).RouteServerPeerId ?? '';
    stage.region.setPeer(id, { state: 'failing', failureReason: 'flapping' });
    stage.clock.advance(60_000);
    const [peer] = await list();
    assert.deepEqual([peer?.State, peer?.FailureReason], ['failing', 'flapping']);
  });

  it('an impossible peer is refused with the code that EC2 has for it', async () => {
    const unknown = 'rse-0123456789abcdef0';
    const pending = stage.region.endpoint(made.server.id, made.subnets[0]?.id ?? '', {
      state: 'pending',
    });
    const impossible: [Partial<CreateRouteServerPeerCommandInput>, string][] = [
      [{ PeerAddress: '2001:db8::1' }, 'InvalidParameterValue'],
      [{ PeerAddress: 'node-1' }, 'InvalidParameterValue'],
      [{ BgpOptions: { PeerAsn: 0 } }, 'InvalidParameterValue'],
      [{ BgpOptions: { PeerAsn: 4_294_967_296 } }, 'InvalidParameterValue'],
      [{ BgpOptions: undefined }, 'MissingParameter'],
      [{ RouteServerEndpointId: unknown }, 'InvalidRouteServerEndpointId.NotFound'],
      [{ RouteServerEndpointId: 'rse-1' }, 'InvalidRouteServerEndpointId.Malformed'],
      [{ RouteServerEndpointId: pending.id }, 'IncorrectState'],
      [{ TagSpecifications: [{ ResourceType: 'vpc', Tags: [] }] }, 'InvalidParameterValue'],
      [{ DryRun: true }, 'DryRunOperation'],
    ];
    for (const [given, code] of impossible) {
      const refused = await refusalOf(
        stage.ec2.send(new CreateRouteServerPeerCommand(wanted(given))),
      );
      assert.equal(refused.code, code, JSON.stringify(given));
      assert.equal(refused.status, code === 'DryRunOperation' ? 412 : 400);
    }
    assert.deepEqual(await list(), []);
    stage.clock.advance(5_000);
    await create({ RouteServerEndpointId: pending.id });
  });

  it('an endpoint takes 20 peers, deleting ones and those of others included', async () => {
    const [endpoint] = made.endpoints;
    for (let host = 0; host < 19; host++)
      stage.region.peer(endpoint?.id ?? '', `10.0.1.${100 + host}`, { state: 'deleting' });
    await create();
    const full = await refusalOf(create({ PeerAddress: '10.0.1.11' }));
    assert.equal(full.code, 'RouteServerPeerLimitExceeded');
    stage.clock.advance(10_000);
    await create({ PeerAddress: '10.0.1.11' });
  });

  it('a second peer with the same address is made, or refused, as the test has it', async () => {
    await create();
    await create();
    assert.match(stage.aws.world.violations().join(), /^I1: 2 peers for 10\.0\.1\.10 on rse-/);
    stage.aws.world.manners.duplicatePeers = 'reject';
    assert.equal((await refusalOf(create())).code, 'RouteServerPeerAlreadyExists');
  });

  it('the tags of a create are there at once, late, or never', async () => {
    const tagsOf = async (address: string): Promise<number> =>
      (await list()).find(({ PeerAddress }) => PeerAddress === address)?.Tags?.length ?? -1;
    stage.aws.world.manners.tagDelayMs = 2_000;
    await create({ PeerAddress: '10.0.1.20', TagSpecifications: tagged });
    assert.equal(await tagsOf('10.0.1.20'), 0);
    stage.clock.advance(2_000);
    assert.equal(await tagsOf('10.0.1.20'), 1);
    stage.aws.world.manners.tagOnCreate = false;
    await create({ PeerAddress: '10.0.1.21', TagSpecifications: tagged });
    stage.clock.advance(60_000);
    assert.equal(await tagsOf('10.0.1.21'), 0);
  });

  it('tags are put on, overwritten and taken off, by value where one is given', async () => {
    const id = (await create()).RouteServerPeerId ?? '';
    const tag = (Key: string, Value: string) =>
      stage.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key, Value }] }));
    const untag = (Key: string, Value?: string) => {
      const Tags = [Value === undefined ? { Key } : { Key, Value }];
      return stage.ec2.send(new DeleteTagsCommand({ Resources: [id], Tags }));
    };
    const tags = async () => (await list())[0]?.Tags;
    await tag('a', '1 & <2>');
    await tag('b', '');
    await tag('a', '"3"');
    assert.deepEqual(await tags(), [
      { Key: 'a', Value: '"3"' },
      { Key: 'b', Value: '' },
    ]);
    await untag('a', 'other');
    await untag('b');
    assert.deepEqual(await tags(), [{ Key: 'a', Value: '"3"' }]);
    assert.equal((await refusalOf(tag('aws:x', ''))).code, 'InvalidParameterValue');
    for (let n = 1; n < 50; n++) await tag(`t${n}`, '');
    assert.equal((await refusalOf(tag('t50', ''))).code, 'TagLimitExceeded');
  });

  it('tags are for things that exist', async () => {
    const tag = (...Resources: string[]) =>
      stage.ec2.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'a', Value: 'b' }] }));
    const id = (await create()).RouteServerPeerId ?? '';
    assert.equal((await refusalOf(tag('nonsense'))).code, 'InvalidID');
    const gone = 'rsp-0123456789abcdef0';
    assert.equal((await refusalOf(tag(id, gone))).code, 'InvalidRouteServerPeerId.NotFound');
    assert.deepEqual((await list())[0]?.Tags, [], 'all or none');
  });

  it('a session is up when the node speaks with the right AS number and lives', async () => {
    const [node] = made.nodes;
    assert.ok(node);
    await create({
      PeerAddress: node.address,
      BgpOptions: { PeerAsn: 65_001, PeerLivenessDetection: 'bfd' },
    });
    const sessions = async () => {
      const [peer] = await list();
      return [peer?.BgpStatus?.Status, peer?.BfdStatus?.Status];
    };
    stage.region.speaker(node.address, { asn: 65_001, bfd: true });
    assert.deepEqual(await sessions(), ['down', 'down'], 'not before it is available');
    stage.clock.advance(5_000);
    assert.deepEqual(await sessions(), ['up', 'up']);
    stage.region.speaker(node.address, { asn: 65_002 });
    assert.deepEqual(await sessions(), ['down', 'down']);
    stage.region.speaker(node.address, { asn: 65_001, neighbors: ['10.0.1.99'] });
    assert.deepEqual(await sessions(), ['down', 'down']);
    stage.region.speaker(node.address, { asn: 65_001 });
    assert.deepEqual(await sessions(), ['up', 'down']);
    stage.region.terminate(node.id);
    assert.deepEqual(await sessions(), ['down', 'down']);
    stage.region.session(stage.region.peers[0]?.id ?? '', 'up');
    assert.deepEqual(await sessions(), ['up', 'up']);
  });
});
