/** What the emulator holds against a client: each invariant, violated and kept. */
import assert from 'node:assert/strict';
import { textOf } from '../../core/json.ts';
import { type Direct, openDirect } from './direct.ts';
import type { RegionControl } from './region.ts';
import { topology, type Topology } from './topology.ts';
import type { Xml } from './xml.ts';

describe('EC2 emulator: invariants', () => {
  let aws: Direct;
  let region: RegionControl;
  let made: Topology;
  beforeEach(() => {
    aws = openDirect();
    region = aws.world.region('us-east-1');
    made = topology(region);
  });

  const endpoint = (index: number): string => made.endpoints[index]?.id ?? '';
  const create = (index: number, address: string, owner = 'ours') =>
    aws.call('CreateRouteServerPeer', {
      RouteServerEndpointId: endpoint(index),
      PeerAddress: address,
      'BgpOptions.PeerAsn': 65_001,
      'TagSpecification.1.ResourceType': 'route-server-peer',
      'TagSpecification.1.Tag.1.Key': 'managed-by',
      'TagSpecification.1.Tag.1.Value': owner,
    });
  const remove = (id: string) => aws.call('DeleteRouteServerPeer', { RouteServerPeerId: id });
  const list = (token?: Xml) =>
    aws.call('DescribeRouteServerPeers', {
      MaxResults: 5,
      ...(token === undefined ? {} : { NextToken: textOf(token) }),
    });
  const found = (): string => aws.world.violations().join('\n');

  it('I1: a second live peer of an address is held against who made it, not a first', () => {
    create(0, '10.0.1.10');
    create(1, '10.0.1.10');
    aws.clock.advance(5_000);
    region.setPeer(region.peers[0]?.id ?? '', { state: 'deleted' });
    create(0, '10.0.1.10');
    assert.equal(found(), '');
    create(0, '10.0.1.10');
    assert.match(found(), /^I1: 2 peers for 10\.0\.1\.10 on rse-/);
    assert.throws(() => aws.world.check(), /1 violations:\nI1/);
  });

  describe('I2', () => {
    beforeEach(() => {
      for (let host = 20; host < 32; host++) region.peer(endpoint(0), `10.0.1.${host}`);
    });

    it('a mutation after a listing that failed', () => {
      aws.world.fault({ action: 'DescribeRouteServerPeers', kind: 'unavailable' });
      list();
      create(1, '10.0.1.10');
      assert.match(found(), /^I2: a mutation although .*DescribeRouteServerPeers is incomplete/);
    });

    it('a mutation after a listing that was left at its first page', () => {
      const { body } = list();
      assert.ok(body['nextToken']);
      create(1, '10.0.1.10');
      assert.match(found(), /^I2/);
      list();
      assert.match(found(), /^I2/, 'a new listing forgives nothing');
    });

    it('not while the listing goes on to its end', () => {
      const first = list();
      create(1, '10.0.1.10');
      const second = list(first.body['nextToken']);
      list(second.body['nextToken']);
      create(1, '10.0.1.11');
      assert.equal(found(), '');
    });
  });

  it('I3: what somebody else manages is not touched', () => {
    const theirs = region.peer(endpoint(0), '10.0.1.10', { tags: { 'managed-by': 'theirs' } });
    create(0, '10.0.1.11');
    aws.clock.advance(5_000);
    for (const peer of region.peers) {
      if (peer.id !== theirs.id) remove(peer.id);
    }
    assert.equal(found(), '');
    aws.call('CreateTags', {
      'ResourceId.1': theirs.id,
      'Tag.1.Key': 'managed-by',
      'Tag.1.Value': 'ours',
    });
    assert.match(found(), /^I3: rsp-\w+ of theirs was touched/);
  });

  it('I3: an owner that the test has named may go on with what it has', () => {
    const peer = region.peer(endpoint(0), '10.0.1.10', { tags: { 'managed-by': 'cluster-a' } });
    aws.world.ours('cluster-a');
    remove(peer.id);
    assert.equal(found(), '');
  });

  it('I4: no more mutations than planned', () => {
    aws.world.plan({ CreateRouteServerPeer: 1 });
    create(0, '10.0.1.10');
    assert.equal(found(), '');
    create(0, '10.0.1.11');
    assert.match(found(), /^I4: 1 more than planned/);
  });

  it('I5: a world at rest is read, seldom', () => {
    aws.world.rest(3);
    for (let n = 0; n < 6; n++) {
      list();
      aws.clock.advance(1_200_001);
    }
    assert.equal(found(), '');
    for (let n = 0; n < 2; n++) list();
    assert.match(found(), /^I5: more than 3 calls in an hour at rest/);
    create(0, '10.0.1.10');
    assert.match(found(), /I5: a mutation in a world at rest/);
    aws.world.stir();
    create(0, '10.0.1.11');
    assert.equal(aws.world.violations().length, 2);
  });

  it('I6: a zone keeps a session while its peers are replaced', () => {
    const [node] = made.nodes;
    assert.ok(node);
    region.speaker(node.address, { asn: 65_001 });
    create(0, node.address);
    create(1, node.address);
    aws.clock.advance(5_000);
    const [first, second] = region.peers;
    remove(first?.id ?? '');
    assert.equal(found(), '');
    remove(second?.id ?? '');
    assert.match(found(), /^I6: rs-\w+ in us-east-1a lost its last session that was up/);
  });

  it('I6: a session that was down already is no loss', () => {
    const [node] = made.nodes;
    assert.ok(node);
    region.speaker(node.address, { asn: 65_001 });
    create(0, node.address);
    aws.clock.advance(5_000);
    region.terminate(node.id);
    remove(region.peers[0]?.id ?? '');
    assert.equal(found(), '');
  });

  it('are watched only where they are asked for', () => {
    aws = openDirect({ invariants: [] });
    region = aws.world.region('us-east-1');
    made = topology(region);
    create(0, '10.0.1.10');
    create(0, '10.0.1.10');
    assert.equal(found(), '');
  });

  it('the same seed and the same calls give the same world', () => {
    const play = (): string => {
      const direct = openDirect({ lagsMs: [0, 1_000, 5_000] }, 7);
      const { endpoints, nodes } = topology(direct.world.region('us-east-1'));
      const answers = endpoints.map(({ id }) => {
        direct.clock.advance(700);
        direct.call('CreateRouteServerPeer', {
          RouteServerEndpointId: id,
          PeerAddress: nodes[0]?.address ?? '',
          'BgpOptions.PeerAsn': 65_001,
        });
        return direct.call('DescribeRouteServerPeers');
      });
      return JSON.stringify(answers);
    };
    assert.equal(play(), play());
  });
});
