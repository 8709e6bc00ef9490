/** `sluice verify` on the whole house: a real API server, all rooms, BGP routing. */
import assert from 'node:assert/strict';
import { type BgpHouse, openBgpHouse } from '../cluster/bgp-house.ts';
import { config, namespace, routing } from '../cluster/bgp-objects.ts';
import { eventually } from '../controlplane/wait.ts';
import { finish, type Ran, start } from './process.ts';

describe('sluice verify on a cluster that routes by BGP', function () {
  this.timeout(240_000);
  let house: BgpHouse;

  before(async () => {
    house = await openBgpHouse();
    await house.create(namespace('app-prod', 'prod'));
    await house.create(config());
    await house.create(routing('cudn1', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn1', 'Ready');
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    await house.rest();
  });

  after(() => house?.stop());

  const verify = (): Promise<Ran> => {
    const { kubeconfig, natsUrl } = house.plane;
    return finish(start(['verify', '--kubeconfig', kubeconfig], { NATS_URL: natsUrl }));
  };

  it('explains every decision, every write and every object', async () => {
    const { code, out, err } = await verify();
    assert.equal(err, '');
    // Three zones, the network, its advertisement, the Network operator, and two resources.
    assert.match(out, /^cluster +0 EgressIPs, 8 objects of BGP routing as the cluster has them$/m);
    assert.match(out, /^Everything follows from what had been seen\.$/m);
    assert.equal(code, 0, out);
  });

  it('tells what somebody changed, or made, while nobody restores it', async () => {
    await house.rooms?.all.find(({ name }) => name === 'publisher')?.stop();
    const [zone = ''] = house.names('frrconfigurations');
    const mine = house.get('frrconfigurations', zone);
    const labels = { ...mine.metadata.labels, 'sluice.dev/advertised': 'no' };
    const { namespace: place, name } = mine.metadata;
    const object = { apiVersion: mine.apiVersion, kind: mine.kind, spec: mine.spec };
    await house.delete('frrconfigurations', zone);
    await house.create({ ...object, metadata: { namespace: place, name, labels } } as never);
    await house.delete('clusteruserdefinednetworks', 'cluster-udn-prod');
    // bgp says at once that they are to be there: for ten seconds that may be on its way.
    let ran = await verify();
    const waiting = { withinMs: 120_000, everyMs: 1_000 };
    await eventually('it is told', waiting, async () => (ran = await verify()).code === 1);
    const { code, out } = ran;
    assert.match(out, /clusteruserdefinednetwork\/cluster-udn-prod +status +object: the cluster/m);
    assert.match(out, new RegExp(`frrconfiguration/${zone} +status +`));
    assert.equal(code, 1, out);
  });
});
