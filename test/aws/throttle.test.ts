/** Token buckets with the documented numbers, per account, region and action. */
import assert from 'node:assert/strict';
import { type Direct, openDirect } from './direct.ts';
import { topology } from './topology.ts';

/** How many of `count` calls at once are let through. */
function burst(aws: Direct, count: number, action: string, params = {}): number {
  const codes = Array.from({ length: count }, () => aws.call(action, params).code);
  return codes.filter((code) => code !== 'RequestLimitExceeded').length;
}

describe('EC2 emulator: throttling', () => {
  const page = { MaxResults: 100 };
  const anything = { RouteServerPeerId: 'rsp-0123456789abcdef0' };
  const tag = { 'ResourceId.1': 'rsp-0123456789abcdef0', 'Tag.1.Key': 'a' };
  const eni = { NetworkInterfaceId: 'eni-0123456789abcdef0', 'SourceDestCheck.Value': 'false' };
  const numbers: readonly (readonly [string, object, number, number])[] = [
    ['DescribeRouteServerPeers', {}, 100, 20],
    ['DescribeInstances', page, 100, 20],
    ['DescribeInstances', {}, 50, 10],
    ['DescribeNetworkInterfaces', {}, 50, 10],
    ['CreateRouteServerPeer', {}, 50, 5],
    ['DeleteRouteServerPeer', anything, 50, 5],
    ['CreateTags', tag, 100, 10],
    ['DeleteTags', tag, 100, 10],
    ['ModifyNetworkInterfaceAttribute', eni, 100, 5],
  ];
  for (const [action, params, size, perSecond] of numbers) {
    const kind = 'MaxResults' in params ? ' by pages' : '';
    it(`${action}${kind}: ${size} at once, then ${perSecond} a second`, () => {
      const aws = openDirect();
      assert.equal(burst(aws, size + 20, action, params), size);
      aws.clock.advance(1_000);
      assert.equal(burst(aws, size + 20, action, params), perSecond);
      aws.clock.advance(3_600_000);
      assert.equal(burst(aws, size + 20, action, params), size);
    });
  }

  it('an empty bucket answers 503, and nothing happens', () => {
    const aws = openDirect();
    const { endpoints, nodes } = topology(aws.world.region('us-east-1'));
    aws.world.region('us-east-1').drain('CreateRouteServerPeer', 1_000);
    const create = {
      RouteServerEndpointId: endpoints[0]?.id ?? '',
      PeerAddress: nodes[0]?.address ?? '',
      'BgpOptions.PeerAsn': 65_001,
    };
    const answer = aws.call('CreateRouteServerPeer', create);
    assert.deepEqual([answer.status, answer.message], [503, 'Request limit exceeded.']);
    assert.deepEqual(aws.world.region('us-east-1').peers, []);
    aws.clock.advance(200);
    assert.equal(aws.call('CreateRouteServerPeer', create).code, '');
  });

  it('other tools of the account empty the bucket, other accounts and regions do not', () => {
    const aws = openDirect();
    aws.world.region('us-east-1').drain('DescribeInstances', 95);
    assert.equal(burst(aws, 10, 'DescribeInstances', page), 5);
    assert.equal(aws.call('DescribeInstances', page, { region: 'eu-west-1' }).code, '');
    const key = aws.world.key('210987654321');
    assert.equal(aws.call('DescribeInstances', page, { key }).code, '');
  });

  it('200 creates take 30 s at least', () => {
    const aws = openDirect();
    const region = aws.world.region('us-east-1');
    const { endpoints } = topology(region, { zones: 10, nodes: 0 });
    const wanted = endpoints.slice(0, 10).flatMap(({ id }) =>
      Array.from({ length: 20 }, (_, host) => ({
        RouteServerEndpointId: id,
        PeerAddress: `10.0.1.${host + 10}`,
        'BgpOptions.PeerAsn': 65_001,
      })),
    );
    const beganMs = aws.clock.nowMs();
    for (const peer of wanted) {
      while (aws.call('CreateRouteServerPeer', peer).code !== '') aws.clock.advance(100);
    }
    assert.equal(region.peers.length, 200);
    assert.equal(Math.round((aws.clock.nowMs() - beganMs) / 1_000), 30);
    aws.world.check();
  });

  it('actions of a category share a bucket where a test wants it so', () => {
    const aws = openDirect({ buckets: 'category' });
    assert.equal(burst(aws, 60, 'DescribeSubnets'), 60);
    assert.equal(burst(aws, 60, 'DescribeRouteServers'), 40);
  });
});
