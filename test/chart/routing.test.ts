/** BGP routing with nothing but the permissions of the chart. */
import assert from 'node:assert/strict';
import { BgpHouse } from '../cluster/bgp-house.ts';
import { config, namespace, routing } from '../cluster/bgp-objects.ts';
import { bodyOf } from '../controlplane/http.ts';
import { removeFolder, temporaryFolder } from '../controlplane/leftovers.ts';
import { bundle, type Installed, openInstalled } from './installed.ts';

describe('BGP routing with the permissions of the chart', function () {
  this.timeout(240_000);
  let installed: Installed;
  let house: BgpHouse;
  let programs = '';

  before(async () => {
    programs = temporaryFolder();
    const bundling = bundle(programs);
    installed = await openInstalled({ platform: 'all' });
    house = new BgpHouse(installed.plane);
    const { status, err } = await installed.upgrade();
    assert.equal(status, 0, err);
    await Promise.all([house.furnish(undefined, true, true), bundling]);
    await installed.startNats();
    await installed.startRooms(programs);
    await installed.ready();
  });

  after(async () => {
    for (const { child } of installed?.rooms.values() ?? []) await child.stop();
    await Promise.all((installed?.servers ?? []).map(({ child }) => child.stop()));
    await house?.stop();
    removeFolder(programs);
  });

  it('brings a config and a routing to Ready, and restores what somebody deletes', async () => {
    await house.create(namespace('app-prod', 'prod'));
    await house.create(config());
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    await house.create(routing('cudn1', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn1', 'Ready');
    const page = await bodyOf(`${installed.rooms.get('bgp')?.url}/metrics`);
    for (const name of ['wanted', 'established'])
      assert.match(page, new RegExp(`^sluice_bgp_sessions_${name}\\{zone=".+"\\} [1-9]`, 'm'));
    const [frr = ''] = house.names('frrconfigurations');
    const { uid } = house.get('frrconfigurations', frr).metadata;
    await house.delete('frrconfigurations', frr);
    await house.until('it is there again', () => {
      const now = house.get('frrconfigurations', frr);
      return now !== undefined && now.metadata.uid !== uid;
    });
  });

  it('takes everything away again', async () => {
    await house.delete('cudnbgproutings', 'cudn1');
    await house.until('the routing is gone', () => house.names('cudnbgproutings').length === 0);
    await house.delete('cudnbgpconfigs', 'cluster');
    await house.until('the config is gone', () => house.names('cudnbgpconfigs').length === 0);
    const left = (
      ['frrconfigurations', 'clusteruserdefinednetworks', 'routeadvertisements'] as const
    ).flatMap((plural) => house.names(plural));
    assert.deepEqual(left, []);
  });
});
