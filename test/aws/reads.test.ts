/** The reads over the wire: lists, pages, filters, ids, and what is left out. */
import assert from 'node:assert/strict';
import {
  DescribeAvailabilityZonesCommand,
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteServerEndpointsCommand,
  DescribeRouteServerPeersCommand,
  type DescribeRouteServerPeersCommandInput,
  DescribeRouteServersCommand,
  DescribeSubnetsCommand,
  GetRouteServerAssociationsCommand,
  GetRouteServerPropagationsCommand,
  GetRouteServerRoutingDatabaseCommand,
  ModifyInstanceAttributeCommand,
  ModifyNetworkInterfaceAttributeCommand,
  paginateDescribeRouteServerPeers,
} from '@aws-sdk/client-ec2';
import { openStage, refusalOf, type Stage } from './stage.ts';
import { topology, type Topology } from './topology.ts';

describe('EC2 emulator: reads', () => {
  let stage: Stage;
  let made: Topology;
  beforeEach(async () => {
    stage = await openStage();
    made = topology(stage.region);
  });
  afterEach(() => stage.close());

  it('a Route Server is found by its id, and only where it is', async () => {
    const ask = { RouteServerIds: [made.server.id] };
    const { RouteServers } = await stage.ec2.send(new DescribeRouteServersCommand(ask));
    assert.deepEqual(RouteServers, [
      {
        RouteServerId: made.server.id,
        AmazonSideAsn: 65_000,
        State: 'available',
        PersistRoutesState: 'disabled',
        SnsNotificationsEnabled: false,
        Tags: [],
      },
    ]);
    const elsewhere = stage.ec2With({ region: 'eu-west-1' });
    const refused = await refusalOf(elsewhere.send(new DescribeRouteServersCommand(ask)));
    assert.equal(refused.code, 'InvalidRouteServerId.NotFound');
    const all = await elsewhere.send(new DescribeRouteServersCommand({}));
    assert.deepEqual(all.RouteServers, [], 'a wrong region answers an empty list');
    const key = stage.aws.world.key('210987654321');
    const credentials = { accessKeyId: key.id, secretAccessKey: key.secret };
    const other = stage.ec2With({ credentials });
    const foreign = await refusalOf(other.send(new DescribeRouteServersCommand(ask)));
    assert.equal(foreign.code, 'InvalidRouteServerId.NotFound');
  });

  it('an endpoint has no interface before it is available', async () => {
    const [subnet] = made.subnets;
    const id = stage.region.endpoint(made.server.id, subnet?.id ?? '', { state: 'pending' }).id;
    const find = async () => {
      const ask = new DescribeRouteServerEndpointsCommand({ RouteServerEndpointIds: [id] });
      return (await stage.ec2.send(ask)).RouteServerEndpoints?.[0];
    };
    const pending = await find();
    assert.deepEqual([pending?.State, pending?.EniAddress], ['pending', undefined]);
    stage.clock.advance(5_000);
    const ready = await find();
    assert.match(ready?.EniAddress ?? '', /^10\.0\.1\.\d+$/);
    assert.deepEqual(
      [ready?.State, ready?.SubnetId, ready?.VpcId, ready?.RouteServerId],
      ['available', subnet?.id, stage.region.vpc, made.server.id],
    );
    stage.region.setEndpoint(id, { state: 'failing', failureReason: 'no capacity' });
    assert.equal((await find())?.FailureReason, 'no capacity');
  });

  it('subnets and zones tell where things are', async () => {
    const [first] = made.subnets;
    const filter = { Filters: [{ Name: 'subnet-id', Values: [first?.id ?? '', 'subnet-gone'] }] };
    const { Subnets } = await stage.ec2.send(new DescribeSubnetsCommand(filter));
    assert.deepEqual(
      Subnets?.map((s) => [s.SubnetId, s.CidrBlock, s.AvailabilityZone, s.AvailabilityZoneId]),
      [[first?.id, '10.0.1.0/24', 'us-east-1a', 'use1-az1']],
    );
    const zones = await stage.ec2.send(new DescribeAvailabilityZonesCommand({}));
    assert.deepEqual(zones.AvailabilityZones?.map((z) => [z.ZoneName, z.ZoneType]).sort(), [
      ['us-east-1a', 'availability-zone'],
      ['us-east-1b', 'availability-zone'],
      ['us-east-1c', 'availability-zone'],
    ]);
    const gone = new DescribeSubnetsCommand({ SubnetIds: ['subnet-0123456789abcdef0'] });
    assert.equal((await refusalOf(stage.ec2.send(gone))).code, 'InvalidSubnetID.NotFound');
  });

  it('an instance shows its interfaces, the primary one among them', async () => {
    const node = stage.region.instance({ subnet: made.subnets[1]?.id ?? '', secondary: 1 });
    const filter = { Filters: [{ Name: 'instance-id', Values: [node.id, 'i-gone'] }] };
    const answer = await stage.ec2.send(new DescribeInstancesCommand(filter));
    const [instance] = answer.Reservations?.flatMap(({ Instances = [] }) => Instances) ?? [];
    assert.equal(answer.Reservations?.length, 1);
    assert.deepEqual(instance?.State, { Code: 16, Name: 'running' });
    assert.equal(instance?.LaunchTime?.getTime(), stage.clock.nowMs());
    assert.equal(instance?.PrivateIpAddress, node.address);
    assert.equal(instance?.Placement?.AvailabilityZone, 'us-east-1b');
    assert.equal(node.providerID, `aws:///us-east-1b/${node.id}`);
    assert.deepEqual(
      instance?.NetworkInterfaces?.map((eni) => [
        eni.Attachment?.DeviceIndex,
        eni.Attachment?.NetworkCardIndex,
        eni.Attachment?.Status,
        eni.SourceDestCheck,
      ]),
      [
        [0, 0, 'attached', true],
        [1, 0, 'attached', true],
      ],
    );
  });

  it('a check is opened on the interface, once or twice, and not on the instance', async () => {
    const node = stage.region.instance({ subnet: made.subnets[0]?.id ?? '', secondary: 1 });
    const open = { SourceDestCheck: { Value: false } };
    const modify = new ModifyNetworkInterfaceAttributeCommand({
      NetworkInterfaceId: node.eni,
      ...open,
    });
    await stage.ec2.send(modify);
    await stage.ec2.send(modify);
    const ask = new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [node.eni] });
    const look = async () => (await stage.ec2.send(ask)).NetworkInterfaces?.[0];
    assert.equal((await look())?.SourceDestCheck, false);
    stage.region.sourceDestCheck(node.id, true);
    assert.equal((await look())?.SourceDestCheck, true);
    const whole = new ModifyInstanceAttributeCommand({ InstanceId: node.id, ...open });
    const refused = await refusalOf(stage.ec2.send(whole));
    assert.match(refused.message, /There are multiple interfaces attached to instance/);
    const single = made.nodes[0]?.id ?? '';
    await stage.ec2.send(new ModifyInstanceAttributeCommand({ InstanceId: single, ...open }));
    const gone = { NetworkInterfaceId: 'eni-0123456789abcdef0', ...open };
    const lost = await refusalOf(stage.ec2.send(new ModifyNetworkInterfaceAttributeCommand(gone)));
    assert.equal(lost.code, 'InvalidNetworkInterfaceID.NotFound');
    const two = { NetworkInterfaceId: node.eni, ...open, Description: { Value: 'x' } };
    const both = await refusalOf(stage.ec2.send(new ModifyNetworkInterfaceAttributeCommand(two)));
    assert.equal(both.code, 'InvalidParameterCombination');
  });

  it('a check that is unknown is left out', async () => {
    const subnet = made.subnets[0]?.id ?? '';
    const { id } = stage.region.instance({ subnet, sourceDestCheck: 'unknown' });
    const answer = await stage.ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    const eni = answer.Reservations?.[0]?.Instances?.[0]?.NetworkInterfaces?.[0];
    assert.ok(eni);
    assert.equal(eni.SourceDestCheck, undefined);
  });

  it('a terminated instance stays listed for an hour, without interfaces', async () => {
    const [old] = made.nodes;
    assert.ok(old);
    const next = stage.region.replace(old.id, { sameAddress: true });
    assert.equal(next.address, old.address);
    const ask = new DescribeInstancesCommand({ InstanceIds: [old.id, next.id] });
    const found = (await stage.ec2.send(ask)).Reservations?.flatMap((r) => r.Instances ?? []) ?? [];
    const gone = found.find(({ InstanceId }) => InstanceId === old.id);
    assert.equal(gone?.State?.Name, 'terminated');
    assert.deepEqual([gone?.NetworkInterfaces, gone?.PrivateIpAddress], [[], undefined]);
    stage.clock.advance(60 * 60_000);
    const refused = await refusalOf(stage.ec2.send(ask));
    assert.deepEqual([refused.code, refused.status], ['InvalidInstanceID.NotFound', 400]);
  });

  it('one bad id fails the whole call, a bad filter value does not', async () => {
    const good = made.nodes[0]?.id ?? '';
    const byId = (...InstanceIds: string[]) =>
      refusalOf(stage.ec2.send(new DescribeInstancesCommand({ InstanceIds })));
    assert.equal((await byId(good, 'ip-10-0-1-4')).code, 'InvalidInstanceID.Malformed');
    assert.equal((await byId(good, 'i-0123456789abcdef0')).code, 'InvalidInstanceID.NotFound');
    const filters = [{ Name: 'instance-id', Values: [good, 'ip-10-0-1-4'] }];
    const answer = await stage.ec2.send(new DescribeInstancesCommand({ Filters: filters }));
    assert.equal(answer.Reservations?.length, 1);
  });

  it('filters are few on Route Server calls, and unknown ones are refused', async () => {
    const [endpoint] = made.endpoints;
    stage.region.peer(endpoint?.id ?? '', '10.0.1.10', { tags: { Name: 'one', team: 'net' } });
    stage.region.peer(endpoint?.id ?? '', '10.0.1.11', { state: 'deleted' });
    const find = async (Name: string, ...Values: string[]) => {
      const ask = new DescribeRouteServerPeersCommand({ Filters: [{ Name, Values }] });
      return (await stage.ec2.send(ask)).RouteServerPeers?.map(({ PeerAddress }) => PeerAddress);
    };
    assert.deepEqual(await find('tag:Name', 'o*'), ['10.0.1.10']);
    assert.deepEqual(await find('tag-key', 'team'), ['10.0.1.10']);
    assert.deepEqual(await find('state', 'deleted', 'deleting'), ['10.0.1.11']);
    const refused = await refusalOf(find('route-server-endpoint-id', endpoint?.id ?? ''));
    assert.equal(refused.code, 'InvalidParameterValue');
    stage.aws.world.manners.unknownFilters = 'ignore';
    assert.equal((await find('route-server-endpoint-id', 'x'))?.length, 2);
    const values = Array.from({ length: 201 }, (_, n) => `i-${n}`);
    const many = { Filters: [{ Name: 'instance-id', Values: values }] };
    const limit = await refusalOf(stage.ec2.send(new DescribeInstancesCommand(many)));
    assert.equal(limit.code, 'FilterLimitExceeded');
  });

  describe('pages', () => {
    beforeEach(() => {
      for (let host = 10; host < 22; host++)
        stage.region.peer(made.endpoints[0]?.id ?? '', `10.0.1.${host}`);
    });
    const page = (input: DescribeRouteServerPeersCommandInput) =>
      stage.ec2.send(new DescribeRouteServerPeersCommand(input));

    it('an empty page with a token is not the end', async () => {
      stage.aws.world.manners.emptyPages = true;
      const sizes: number[] = [];
      const seen = new Set<string>();
      const pages = paginateDescribeRouteServerPeers({ client: stage.ec2, pageSize: 5 }, {});
      for await (const { RouteServerPeers = [] } of pages) {
        sizes.push(RouteServerPeers.length);
        for (const peer of RouteServerPeers) seen.add(peer.RouteServerPeerId ?? '');
      }
      assert.deepEqual(sizes, [5, 0, 5, 0, 2]);
      assert.equal(seen.size, 12);
    });

    it('the server may cut pages on its own', async () => {
      stage.aws.world.manners.pageSize = 7;
      const { RouteServerPeers, NextToken } = await page({});
      assert.equal(RouteServerPeers?.length, 7);
      assert.equal((await page({ NextToken })).RouteServerPeers?.length, 5);
    });

    it('tokens belong to one question and expire', async () => {
      const { NextToken } = await page({ MaxResults: 5 });
      const other = page({ NextToken, Filters: [{ Name: 'state', Values: ['available'] }] });
      assert.equal((await refusalOf(other)).code, 'InvalidNextToken');
      assert.equal((await refusalOf(page({ NextToken: 'x' }))).code, 'InvalidNextToken');
      stage.clock.advance(60 * 60_000);
      assert.equal((await refusalOf(page({ NextToken }))).code, 'InvalidNextToken');
    });

    it('MaxResults has bounds, and does not go with ids', async () => {
      const ids = stage.region.peers.map(({ id }) => id).slice(0, 1);
      const low = await refusalOf(page({ MaxResults: 4 }));
      assert.equal(low.code, 'InvalidParameterValue');
      const both = await refusalOf(page({ MaxResults: 5, RouteServerPeerIds: ids }));
      assert.equal(both.code, 'InvalidParameterCombination');
    });

    it('their order is another one each time', async () => {
      const order = async () =>
        (await page({})).RouteServerPeers?.map(({ PeerAddress }) => PeerAddress).join();
      assert.notEqual(await order(), await order());
    });
  });

  it('a reader may be shown an older state than another', async () => {
    const late = stage.aws.world.key();
    stage.aws.world.manners.lagsOf = { [late.id]: [3_000] };
    const slow = stage.ec2With({
      credentials: { accessKeyId: late.id, secretAccessKey: late.secret },
    });
    const [node] = made.nodes;
    assert.ok(node);
    const ask = new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [node.eni] });
    const check = async (client: typeof slow) =>
      (await client.send(ask)).NetworkInterfaces?.[0]?.SourceDestCheck;
    stage.region.sourceDestCheck(node.id, false);
    assert.equal(await check(stage.ec2), false);
    assert.equal(await check(slow), true);
    stage.clock.advance(3_000);
    assert.equal(await check(slow), false);
    const next = stage.region.replace(node.id);
    const find = async (client: typeof slow): Promise<number | undefined> => {
      const Filters = [{ Name: 'instance-id', Values: [next.id] }];
      return (await client.send(new DescribeInstancesCommand({ Filters }))).Reservations?.length;
    };
    assert.deepEqual([await find(stage.ec2), await find(slow)], [1, 0]);
    stage.clock.advance(3_000);
    assert.equal(await find(slow), 1);
  });

  it('a Route Server of any size has an address for each node', () => {
    const { nodes } = topology(stage.aws.world.region('eu-west-1'), { nodes: 1_000 });
    assert.equal(new Set(nodes.map(({ address }) => address)).size, 1_000);
    assert.deepEqual([nodes[0]?.address, nodes[3]?.address], ['10.1.0.6', '10.1.0.7']);
  });

  it('what a Route Server is tied to, and its routes, can be read', async () => {
    const RouteServerId = made.server.id;
    const [peer] = [stage.region.peer(made.endpoints[0]?.id ?? '', '10.0.1.10')];
    stage.region.routes(RouteServerId, [
      {
        prefix: '10.100.0.0/16',
        endpointId: peer?.endpointId ?? '',
        peerId: peer?.id ?? '',
        nextHop: '10.0.1.10',
        asPath: [65_001],
        med: 0,
        status: 'in-fib',
        installation: 'rejected',
        reason: 'a local route is more specific',
      },
    ]);
    const database = await stage.ec2.send(
      new GetRouteServerRoutingDatabaseCommand({ RouteServerId }),
    );
    assert.equal(database.AreRoutesPersisted, false);
    const [route] = database.Routes ?? [];
    assert.deepEqual([route?.Prefix, route?.AsPaths, route?.Med], ['10.100.0.0/16', ['65001'], 0]);
    assert.equal(route?.RouteInstallationDetails?.[0]?.RouteInstallationStatus, 'rejected');
    const tied = await stage.ec2.send(new GetRouteServerAssociationsCommand({ RouteServerId }));
    assert.equal(tied.RouteServerAssociations?.[0]?.VpcId, stage.region.vpc);
    const ask = new GetRouteServerPropagationsCommand({ RouteServerId });
    assert.equal((await stage.ec2.send(ask)).RouteServerPropagations?.length, 1);
    stage.region.setServer(RouteServerId, { routeTables: [] });
    const none = await refusalOf(stage.ec2.send(ask));
    assert.equal(none.code, 'InvalidRouteServerId.NotPropagated');
  });
});
