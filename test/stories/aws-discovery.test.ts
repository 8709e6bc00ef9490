/** AWS: Route Servers are discovered, completely or not at all (UT-AWS-05 to 08). */
import assert from 'node:assert/strict';
import { parseJson, property } from '../../core/json.ts';
import { topology } from '../aws/topology.ts';
import { condition, config, living, node, scene, seen, standing, synced } from './aws-cluster.ts';
import { AwsBench } from './aws-bench.ts';

const MINUTE = 60_000;
const groups = (bench: AwsBench) => bench.last('NeighborsSeen')?.groups ?? [];
const addresses = (bench: AwsBench): string[] =>
  groups(bench).flatMap(({ neighbors }) => neighbors.map(({ address }) => address));

describe('aws-sync: discovery', function () {
  this.timeout(60_000);
  it('what it waits for is told in the tail, as a sentence', async () => {
    const bench = new AwsBench();
    bench.hear(...synced.filter(({ kind }) => kind !== 'PlatformSeen'), seen(config(['rs-1'])));
    await bench.run(1_000);
    assert.equal(
      bench.said.at(-1)?.said,
      'Pending: AWSEndpointsDiscovered is Unknown (Waiting): waits for ' +
        'status.infrastructureName of Infrastructure/cluster',
    );
  });

  it('two endpoints in each of three zones are two neighbours for each zone', async () => {
    const { bench, made } = scene({ size: { asn: 64_512 } });
    await bench.run(30_000);
    assert.deepEqual(
      groups(bench).map(({ key, nodes, neighbors }) => [
        key,
        nodes,
        neighbors.map(({ remoteASN }) => remoteASN),
      ]),
      ['a', 'b', 'c'].map((zone) => [`us-east-1${zone}`, [], [64_512, 64_512]]),
    );
    assert.deepEqual(addresses(bench).sort(), made.endpoints.map((e) => e.address).sort());
    const status: unknown = parseJson(bench.last('AwsJudged')?.status ?? '');
    const [server] = property(status, 'routeServers') as { endpoints: object[] }[];
    assert.deepEqual([property(server, 'remoteASN'), server?.endpoints.length], [64_512, 6]);
    assert.equal(standing(bench, 'AWSEndpointsDiscovered'), 'True Discovered');
    assert.equal(bench.last('AwsJudged')?.phase, 'Ready');
    bench.aws.check();
  });

  it('endpoints of two Route Servers in one zone are neighbours with an ASN each', async () => {
    const bench = new AwsBench();
    const subnet = bench.region.subnet();
    const servers = [64_512, 64_513].map((asn) => bench.region.routeServer({ asn }));
    for (const { id } of servers) bench.region.endpoint(id, subnet.id);
    const foreign = bench.region.routeServer({ asn: 64_999 });
    bench.region.endpoint(foreign.id, subnet.id);
    const machine = bench.region.instance({ subnet: subnet.id });
    bench.hear(...synced, node('worker-0', machine), seen(config(servers.map(({ id }) => id))));
    await bench.run(30_000);
    const asns = groups(bench)[0]?.neighbors.map(({ remoteASN }) => remoteASN);
    assert.deepEqual(asns?.toSorted(), [64_512, 64_513]);
    assert.equal(bench.region.livePeers().length, 2);
  });

  it('a Route Server of elsewhere is "not found", and never "no neighbours"', async () => {
    const { bench, made } = scene();
    await bench.run(30_000);
    const before = addresses(bench);
    bench.hear(seen({ ...config(['rs-0nonexistent']), generation: 2 }));
    await bench.run(20 * MINUTE);
    assert.match(condition(bench, 'AWSEndpointsDiscovered')?.message ?? '', /rs-0nonexistent/);
    assert.equal(bench.last('AwsJudged')?.phase, 'Degraded');
    assert.deepEqual(addresses(bench), before);
    assert.equal(bench.aws.calls('DeleteRouteServerPeer').length, 0);
    assert.equal(bench.region.livePeers().length, 2 * made.nodes.length);
  });

  it('of a good and an unknown Route Server the good one works', async () => {
    const bench = new AwsBench();
    const { server, nodes } = topology(bench.region);
    bench.hear(...synced, ...nodes.map((machine, index) => node(`worker-${index}`, machine)));
    bench.hear(seen(config([server.id, 'rs-0gone'])));
    await bench.run(30_000);
    assert.equal(bench.region.livePeers().length, 6);
    assert.match(condition(bench, 'AWSEndpointsDiscovered')?.message ?? '', /: rs-0gone/);
    assert.equal(standing(bench, 'AWSResourcesReconciled'), 'True Reconciled');
  });

  it('every page counts, empty ones with a token, too', async () => {
    const { bench } = scene({ manners: { pageSize: 2, emptyPages: true } });
    await bench.run(30_000);
    assert.equal(addresses(bench).length, 6);
    assert.equal(bench.region.livePeers().length, 6);
    await bench.run(10 * MINUTE);
    assert.equal(bench.aws.calls('CreateRouteServerPeer').length, 6);
    bench.aws.check();
  });

  it('a page that fails leaves no listing: nothing is changed, nothing is told', async () => {
    const { bench, made } = scene({ manners: { pageSize: 2 } });
    for (const { id } of made.endpoints) bench.region.peer(id, '192.0.2.1');
    const when = { NextToken: '*' };
    bench.aws.fault({ action: 'DescribeRouteServerPeers', kind: 'unavailable', when });
    await bench.run(4_000);
    assert.equal(bench.aws.counts()['DescribeRouteServerPeers Unavailable'], 1);
    assert.deepEqual([bench.aws.mutations().length, addresses(bench)], [0, []]);
    await bench.run(30_000);
    assert.equal(bench.region.livePeers().length, 12);
    const judged = bench.last('AwsJudged');
    bench.aws.fault({ action: 'DescribeRouteServerPeers', kind: 'unavailable', when });
    await bench.run(2 * MINUTE);
    assert.deepEqual(bench.last('AwsJudged'), judged, 'one bad listing is no news');
    bench.aws.check();
  });

  for (const state of ['pending', 'deleting', 'deleted', 'failed'] as const)
    it(`an endpoint that is ${state} is no neighbour and gets no peers`, async () => {
      const bench = new AwsBench();
      const { server, subnets, nodes } = topology(bench.region);
      const subnet = subnets[0]?.id ?? '';
      const bad = bench.region.endpoint(server.id, subnet, { state, failureReason: 'no address' });
      bench.hear(...synced, ...nodes.map((machine, index) => node(`worker-${index}`, machine)));
      bench.hear(seen(config([server.id])));
      await bench.run(4_000);
      assert.ok(!addresses(bench).includes(bad.address));
      assert.ok(addresses(bench).every((address) => address !== ''));
      const on = bench.region.livePeers().filter(({ endpointId }) => endpointId === bad.id);
      assert.deepEqual(on, []);
    });

  it('an endpoint that is pending serves as soon as it is available', async () => {
    const bench = new AwsBench({ manners: { pendingMs: 40_000 } });
    const { server, subnets, nodes } = topology(bench.region);
    const late = bench.region.endpoint(server.id, subnets[0]?.id ?? '', { state: 'pending' });
    bench.hear(...synced, ...nodes.map((machine, index) => node(`worker-${index}`, machine)));
    bench.hear(seen(config([server.id])));
    await bench.until('it is a neighbour', 2 * MINUTE, () =>
      addresses(bench).includes(late.address),
    );
    await bench.run(10_000);
    assert.equal(bench.region.livePeers().length, 7);
  });

  it('the tombstone of an endpoint in a subnet that is gone spoils nothing', async () => {
    const { bench, made } = scene();
    const lost = bench.region.subnet();
    bench.region.endpoint(made.server.id, lost.id, { state: 'deleted' });
    bench.region.forget(lost.id);
    await bench.run(30_000);
    assert.equal(addresses(bench).length, 6);
  });

  it('one that turns failing keeps what it has until it has failed', async () => {
    const s = scene();
    const { bench, made } = s;
    await bench.run(30_000);
    const failing = made.endpoints[0];
    bench.region.setEndpoint(failing?.id ?? '', { state: 'failing', failureReason: 'hardware' });
    await bench.run(2 * MINUTE);
    assert.ok(addresses(bench).includes(failing?.address ?? ''));
    assert.equal(living(s).length, 6);
    assert.match(condition(bench, 'AWSEndpointsDiscovered')?.message ?? '', /failing \(hardware\)/);
    bench.region.setEndpoint(failing?.id ?? '', { state: 'failed' });
    await bench.run(3 * MINUTE);
    assert.ok(!addresses(bench).includes(failing?.address ?? ''));
    assert.equal(living(s).length, 5);
  });

  it('endpoints that vanish from a listing stay neighbours for five minutes', async () => {
    const { bench, made } = scene();
    await bench.run(30_000);
    for (const { id } of made.endpoints) bench.region.forget(id);
    await bench.run(4 * MINUTE);
    assert.equal(addresses(bench).length, 6);
    bench.restart();
    await bench.run(MINUTE / 2);
    assert.equal(addresses(bench).length, 6, 'also after a restart');
    await bench.run(7 * MINUTE);
    assert.equal(addresses(bench).length, 0);
  });

  it('a zone with endpoints in two subnets has a group for each, by host name', async () => {
    const bench = new AwsBench();
    const server = bench.region.routeServer();
    const subnets = [0, 1, 2].map(() => bench.region.subnet({ zone: 'us-east-1a' }));
    for (const { id } of subnets.slice(0, 2)) bench.region.endpoint(server.id, id);
    const machines = subnets.map(({ id }) => bench.region.instance({ subnet: id }));
    bench.hear(...synced, ...machines.map((machine, index) => node(`worker-${index}`, machine)));
    bench.hear(seen(config([server.id])));
    await bench.run(30_000);
    assert.deepEqual(
      new Map(groups(bench).map(({ key, nodes }) => [key, nodes])),
      new Map([0, 1].map((at) => [`us-east-1a/${subnets[at]?.id}`, [`worker-${at}`]])),
    );
    assert.equal(bench.region.livePeers().length, 2, 'nobody peers across subnets');
    assert.match(condition(bench, 'ZonesCovered')?.message ?? '', /^worker-2 in us-east-1a/);
    assert.equal(standing(bench, 'ZonesCovered'), 'False ZonesUncovered');
    assert.equal(bench.last('AwsJudged')?.phase, 'Ready');
  });

  it('warns of a Route Server that keeps routes to dead nodes', async () => {
    const { bench, made } = scene();
    bench.region.setServer(made.server.id, { persistRoutes: 'enabled' });
    await bench.run(30_000);
    assert.match(condition(bench, 'AWSEndpointsDiscovered')?.message ?? '', /persists routes/);
  });

  it('no call at all is made without a CUDNBgpConfig that has spec.aws', async () => {
    const bench = new AwsBench();
    bench.hear(...synced);
    await bench.run(10 * MINUTE);
    const { aws: _, ...explicit } = config([]);
    bench.hear(seen(explicit));
    await bench.run(10 * MINUTE);
    assert.equal(bench.aws.calls().length, 0);
    assert.deepEqual(bench.said, []);
  });
});
