/** The chart's NATS as it is by default: three servers that know each other by certificate. */
import assert from 'node:assert/strict';
import { Cluster } from '../cluster/cluster.ts';
import { assignable } from '../cluster/objects.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { bundle, type Installed, openInstalled } from './installed.ts';

describe('three NATS servers', function () {
  this.timeout(240_000);
  let house: Installed;
  let cluster: Cluster;
  let programs = '';

  before(async () => {
    programs = temporaryFolder();
    const bundling = bundle(programs);
    house = await openInstalled();
    const { status, err } = await house.upgrade({ 'nats.replicas': 3 });
    assert.equal(status, 0, err);
    cluster = new Cluster(house.plane);
    await Promise.all([cluster.watch(), bundling]);
    await house.startNats();
    await house.startRooms(programs);
  });

  after(async () => {
    cluster?.unwatch();
    await house?.stop();
    removeFolder(programs);
  });

  it('become one cluster, on which the publisher makes streams with three copies', async () => {
    await house.ready();
    for (const { env } of house.rooms.values()) assert.equal(env['SLUICE_LOG_REPLICAS'], '3');
  });

  it('carry what the rooms say, before and after one of them is killed', async () => {
    await cluster.node('worker-1', { labels: { [assignable]: '' } });
    await cluster.egressIP('before', ['10.0.7.1']);
    await cluster.homed('before', '10.0.7.1 on worker-1');
    await house.servers[1]?.child.kill();
    await cluster.egressIP('after', ['10.0.7.2']);
    await cluster.until(
      'the second address has a node',
      () => cluster.homes('after') === '10.0.7.2 on worker-1',
      60_000,
    );
  });

  it('let a server that was away back in', async () => {
    await house.servers[1]?.child.start();
    await house.servers[2]?.child.kill();
    await cluster.egressIP('last', ['10.0.7.3']);
    await cluster.until(
      'the third address has a node',
      () => cluster.homes('last') === '10.0.7.3 on worker-1',
      60_000,
    );
  });
});
