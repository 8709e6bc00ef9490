/** What goes wrong on real BGP, and what Sluice makes of it: told, waited out, never in a loop. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BgpHouse } from '../../cluster/bgp-house.ts';
import { eventually } from '../../controlplane/wait.ts';
import { frrConfiguration, frrConfigurations } from '../../frrk8s/objects.ts';
import { applyFrrCrds } from './crds.ts';
import { localAsn, type Rig } from './rig.ts';
import { configOf, neighborsOf, type SluiceHouse } from './sluice-house.ts';

const soon = { withinMs: 60_000, everyMs: 200 };
const [first, second] = neighborsOf['zone-b'];
/** Another operator's session of a node of ours, with a neighbor that we would give another ASN. */
const theirs = frrConfiguration('theirs', {
  nodeSelector: { matchLabels: { 'kubernetes.io/hostname': 'worker-2' } },
  bgp: { routers: [{ asn: localAsn, neighbors: [{ address: '10.0.2.9', asn: 64_600 }] }] },
});

/** Begins without a config, and leaves one node without FRR. */
export function itTellsTrouble(open: () => SluiceHouse, source: () => string): void {
  let house: BgpHouse;
  let rig: Rig;
  before(() => void ({ house, rig } = open()));

  const condition = (type: string): { status?: string; reason?: string; message?: string } =>
    house.condition('cudnbgpconfigs', 'cluster', type) ?? {};
  const says = (type: string, reason: string, words: RegExp): Promise<void> =>
    house.until(
      `${type} is ${reason}: ${words.source}`,
      () => condition(type).reason === reason && words.test(condition(type).message ?? ''),
      120_000,
    );
  const written = (): number => house.watched.get('cudnbgpconfigs')?.history.length ?? 0;
  /** Not told again and again: the object's status rests while the trouble goes on. */
  const rests = async (): Promise<void> => {
    const before = written();
    await sleep(3_000);
    assert.ok(written() - before <= 2, `${written() - before} writes in 3 s`);
  };
  const isApplied = (): Promise<void> =>
    says('FRRConfigurationApplied', 'Applied', /FRRConfigurations? /);

  it('while the webhook is down it is waited for, and nothing is Degraded', async () => {
    await open().webhook.child.kill();
    await house.create(configOf());
    await says('FRRConfigurationApplied', 'WebhookUnavailable', /failed calling webhook/);
    assert.equal(house.phase('cudnbgpconfigs', 'cluster'), 'Configuring');
    await rests();
    await open().webhook.child.start();
    await isApplied();
    await says('SessionsEstablished', 'Established', /^4 sessions established$/);
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
  });

  it('an object at odds with a foreign one is denied, by the name of the node', async () => {
    await house.api.apply({ ...theirs });
    await house.create(configOf({ ...neighborsOf, 'zone-b': [first, second, '10.0.2.9'] }));
    await says('FRRConfigurationApplied', 'ApplyFailed', /is denied: .*for node worker-2/);
    await rests();
    for (const address of [first, second])
      await rig.sessions.has(`worker-2 ${address} Established`);
    await house.delete('frrconfigurations', 'theirs');
    await house.create(configOf());
    await isApplied();
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
  });

  it('a CRD that refuses every ASN is named with what to do, and there is no loop', async () => {
    const name = 'cudn-bgp-zone-b';
    const version = house.get('frrconfigurations', name).metadata.resourceVersion;
    await applyFrrCrds(house.api, source(), 'released');
    await eventually('the schema refuses ASNs', soon, async () => {
      const path = `${frrConfigurations}?dryRun=All`;
      return (await house.api.call('POST', path, theirs)).status === 422;
    });
    await house.create(configOf({ ...neighborsOf, 'zone-b': [first] }));
    const words = /int32 in spec\.bgp\.routers.*bring frr-k8s, or its CRDs, to 0\.0\.24 or later/;
    await says('FRRConfigurationApplied', 'ApplyFailed', words);
    await rests();
    assert.equal(house.get('frrconfigurations', name).metadata.resourceVersion, version);
    await rig.sessions.has(`worker-2 ${second} Established`);
    await applyFrrCrds(house.api, source(), 'mended');
    await house.create(configOf());
    await isApplied();
  });

  it('a node whose FRR died is not believed: its last words were Established', async () => {
    const node = rig.node('worker-1');
    await node.killFrr();
    await node.setPodReady(false);
    const stale = /^2 of 4 sessions established; worker-1 to 10\.0\.1\.47 is not known/;
    await says('SessionsEstablished', 'SessionsDown', stale);
    await rig.sessions.has('worker-1 10.0.1.47 Established');
    assert.notEqual(await rig.upstream('upstream-a1').sessionState(), 'Established');
  });
}
