/** AWS: a peer at each endpoint for each router node, and nobody else's touched (`docs/aws.md`). */
import assert from 'node:assert/strict';
import { must } from '../../core/assert.ts';
import { calls, condition, gone, living, node, OWNER, scene, standing } from './aws-cluster.ts';

const MINUTE = 60_000;

describe('aws-sync: peers', function () {
  this.timeout(60_000);
  it('each endpoint gets a peer of the nodes on its subnet, with ASN and our tag', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const peers = s.bench.region.livePeers();
    assert.equal(peers.length, 6);
    for (const { endpointId, address, asn, liveness, tags } of peers) {
      const { subnetId } = must(
        s.made.endpoints.find(({ id }) => id === endpointId),
        endpointId,
      );
      const machine = must(
        s.made.nodes.find((one) => one.address === address),
        address,
      );
      assert.equal(machine.subnet, subnetId);
      assert.deepEqual([asn, liveness, tags['managed-by']], [65_001, 'bgp-keepalive', OWNER]);
    }
    s.bench.aws.check();
  });

  it('with BFD the peers detect dead nodes by it', async () => {
    const s = scene({ config: { livenessDetection: 'bfd' } });
    await s.bench.run(30_000);
    const modes = s.bench.region.livePeers().map(({ liveness }) => liveness);
    assert.deepEqual(new Set(modes), new Set(['bfd']));
  });

  it('an untagged peer that matches is taken over by a tag, and not made again', async () => {
    const s = scene();
    const [endpoint] = s.made.endpoints;
    const peer = s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '');
    await s.bench.run(30_000);
    assert.deepEqual([calls(s, 'CreateRouteServerPeer'), calls(s, 'CreateTags')], [5, 1]);
    const taken = s.bench.region.peers.find(({ id }) => id === peer.id);
    assert.equal(taken?.tags['managed-by'], OWNER);
    assert.equal(standing(s.bench), 'True Reconciled');
  });

  it('an untagged peer that differs is left alone and reported', async () => {
    const s = scene();
    const [endpoint] = s.made.endpoints;
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '', { asn: 64_999 });
    await s.bench.run(3 * MINUTE);
    assert.equal(standing(s.bench), 'False PeerConflict');
    assert.deepEqual([calls(s, 'CreateRouteServerPeer'), calls(s, 'CreateTags')], [5, 0]);
    assert.match(condition(s.bench, 'AWSResourcesReconciled')?.message ?? '', /8 ok, 1 failed/);
  });

  it('with IfUntagged it is taken over, and replaced since it differs', async () => {
    const s = scene({ aws: { adoptionPolicy: 'IfUntagged' } });
    const [endpoint] = s.made.endpoints;
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '', { asn: 64_999 });
    await s.bench.until(
      'it is replaced',
      8 * MINUTE,
      () => standing(s.bench) === 'True Reconciled',
    );
    assert.deepEqual([calls(s, 'CreateTags'), calls(s, 'DeleteRouteServerPeer')], [1, 1]);
    assert.equal(living(s).length, 6);
    s.bench.aws.check();
  });

  it('with Never even a peer that matches is not touched', async () => {
    const s = scene({ aws: { adoptionPolicy: 'Never' } });
    const [endpoint] = s.made.endpoints;
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '');
    await s.bench.run(3 * MINUTE);
    assert.deepEqual([calls(s, 'CreateTags'), standing(s.bench)], [0, 'False PeerConflict']);
  });

  it('a peer of another cluster is never touched, whatever its state', async () => {
    const tags = { 'managed-by': 'cudn-bgp-routing-operator/other' };
    const s = scene();
    const address = s.made.nodes[0]?.address ?? '';
    const local = s.made.endpoints.slice(0, 2);
    s.bench.region.peer(local[0]?.id ?? '', address, { tags });
    s.bench.region.peer(local[1]?.id ?? '', address, { tags, state: 'failed' });
    await s.bench.run(10 * MINUTE);
    assert.equal(standing(s.bench), 'False PeerConflict');
    assert.deepEqual([calls(s, 'CreateTags'), calls(s, 'DeleteRouteServerPeer')], [0, 0]);
    assert.equal(living(s).length, 6);
    s.bench.aws.check();
  });

  it('the tombstone of a peer is no peer: another one is made, and it is not deleted', async () => {
    const s = scene();
    const [endpoint] = s.made.endpoints;
    const tags = { 'managed-by': OWNER };
    s.bench.region.peer(endpoint?.id ?? '', s.made.nodes[0]?.address ?? '', {
      ...{ state: 'deleted', tags },
    });
    s.bench.region.peer(endpoint?.id ?? '', '10.0.1.99', { state: 'deleted', tags });
    await s.bench.run(3 * MINUTE);
    assert.deepEqual(
      [calls(s, 'CreateRouteServerPeer'), calls(s, 'DeleteRouteServerPeer')],
      [6, 0],
    );
  });

  it('a peer on its way out holds its address: one is made when it is deleted', async () => {
    const s = scene({ manners: { deletingMs: 40_000 } });
    const [endpoint] = s.made.endpoints;
    const address = s.made.nodes[0]?.address ?? '';
    s.bench.region.peer(endpoint?.id ?? '', address, {
      ...{ state: 'deleting', tags: { 'managed-by': OWNER } },
    });
    await s.bench.run(30_000);
    assert.equal(calls(s, 'CreateRouteServerPeer'), 5);
    await s.bench.run(30_000);
    assert.deepEqual(
      [calls(s, 'CreateRouteServerPeer'), calls(s, 'DeleteRouteServerPeer')],
      [6, 0],
    );
    s.bench.aws.check();
  });

  it('a peer that somebody deletes is made again', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const [peer] = s.bench.region.livePeers();
    s.bench.region.setPeer(peer?.id ?? '', { state: 'deleting' });
    await s.bench.until('it is back', 3 * MINUTE, () => {
      const all = s.bench.region.livePeers();
      return all.length === 6 && all.every(({ state }) => state === 'available');
    });
    assert.equal(calls(s, 'CreateRouteServerPeer'), 7);
  });

  it('a failed peer is replaced, and not in a hot loop', async () => {
    const s = scene();
    const address = s.made.nodes[0]?.address ?? '';
    s.bench.region.doom(address, 'no route');
    await s.bench.run(10 * MINUTE);
    const tries = calls(s, 'CreateRouteServerPeer') - 4;
    assert.ok(tries >= 6 && tries <= 20, `${tries} creates in ten minutes for two peers`);
    assert.match(condition(s.bench, 'AWSResourcesReconciled')?.message ?? '', /no route/);
    s.bench.region.doom(address, undefined);
    await s.bench.until('it works', 5 * MINUTE, () => standing(s.bench) === 'True Reconciled');
    s.bench.aws.check();
  });

  it('a failing peer is kept and reported', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const [peer] = s.bench.region.livePeers();
    s.bench.region.setPeer(peer?.id ?? '', { state: 'failing', failureReason: 'overheated' });
    await s.bench.run(3 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    assert.equal(standing(s.bench), 'False AWSReconcileFailed');
  });

  it('tags that come late, or not with the create, are still ours', async () => {
    for (const manners of [{ tagOnCreate: false }, { tagDelayMs: 20_000 }]) {
      const s = scene({ manners });
      await s.bench.run(5 * MINUTE);
      assert.equal(calls(s, 'CreateRouteServerPeer'), 6);
      const owners = s.bench.region.livePeers().map(({ tags }) => tags['managed-by']);
      assert.deepEqual(new Set(owners), new Set([OWNER]), JSON.stringify(manners));
      assert.equal(standing(s.bench), 'True Reconciled');
      s.bench.aws.check();
    }
  });

  it('readers that lag behind never make a second peer', async () => {
    const s = scene({ manners: { lagsMs: [0, 8_000, 20_000] } });
    await s.bench.run(5 * MINUTE);
    assert.equal(living(s).length, 6);
    assert.equal(calls(s, 'CreateRouteServerPeer'), 6);
    s.bench.aws.check();
  });

  it('a node that is replaced: new peers come first, the old ones go after 30 s', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const old = must(s.made.nodes[0], 'a node');
    const machine = s.bench.region.replace(old.id);
    s.bench.hear(gone('worker-0'), node('worker-9', machine));
    await s.bench.run(20_000);
    assert.deepEqual(
      [calls(s, 'CreateRouteServerPeer'), calls(s, 'DeleteRouteServerPeer')],
      [8, 0],
    );
    await s.bench.run(3 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 2);
    const addresses = s.bench.region.livePeers().map(({ address }) => address);
    assert.equal(addresses.filter((address) => address === machine.address).length, 2);
    assert.ok(!addresses.includes(old.address));
    assert.equal(living(s).length, 6);
    s.bench.aws.check();
  });

  it('a node that comes back with the same address keeps its peers', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const machine = s.bench.region.replace(s.made.nodes[0]?.id ?? '', { sameAddress: true });
    s.bench.hear(gone('worker-0'), node('worker-9', machine));
    await s.bench.run(5 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    assert.equal(calls(s, 'ModifyNetworkInterfaceAttribute'), 4);
  });

  it('when no node is a router, nothing is deleted for ten minutes', async () => {
    const s = scene();
    await s.bench.run(30_000);
    for (let index = 0; index < 3; index++) s.bench.hear(gone(`worker-${index}`));
    await s.bench.run(9 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    assert.equal(standing(s.bench, 'NodeInventoryComplete'), 'False NoRouterNode');
    await s.bench.run(90_000);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 2);
    await s.bench.run(10 * MINUTE);
    assert.equal(living(s).length, 0);
  });

  it('of many peers that nobody wants at most a third goes in a minute', async () => {
    const s = scene({ size: { nodes: 30 } });
    await s.bench.run(2 * MINUTE);
    for (let index = 1; index < 30; index++) s.bench.hear(gone(`worker-${index}`));
    await s.bench.run(60_000);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 20);
    await s.bench.run(15 * MINUTE);
    assert.equal(living(s).length, 2);
    s.bench.aws.check();
  });

  it('two living peers at one place: the better one stays', async () => {
    const s = scene();
    await s.bench.run(30_000);
    const [peer] = s.bench.region.livePeers();
    const { endpointId = '', address = '' } = peer ?? {};
    s.bench.region.peer(endpointId, address, { state: 'failing', tags: { 'managed-by': OWNER } });
    await s.bench.run(3 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 1);
    assert.ok(s.bench.region.livePeers().some(({ id }) => id === peer?.id));
  });

  it('a tag that changed since the listing protects a peer from deletion', async () => {
    const s = scene();
    await s.bench.run(30_000);
    s.bench.hear(gone('worker-0'));
    const others = s.bench.region
      .livePeers()
      .filter(({ address }) => address === s.made.nodes[0]?.address);
    for (const { id } of others)
      s.bench.region.setPeer(id, { tags: { 'managed-by': 'terraform' } });
    await s.bench.run(5 * MINUTE);
    assert.equal(calls(s, 'DeleteRouteServerPeer'), 0);
    s.bench.aws.check();
  });
});
