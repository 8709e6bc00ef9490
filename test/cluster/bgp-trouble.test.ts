/** What goes wrong with BGP routing on a real API server: told, waited out, never fought over. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BgpHouse, openBgpHouse } from './bgp-house.ts';
import { config, namespace, routing } from './bgp-objects.ts';

const TYPE = 'FRRConfigurationApplied';

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

describe('trouble with BGP routing on a real API server', function () {
  this.timeout(240_000);
  let house: BgpHouse;
  before(async () => {
    house = await openBgpHouse();
    await house.create(namespace('app-prod', 'prod'));
  });
  after(() => house?.stop());

  const applied = (): Condition | undefined => house.condition('cudnbgpconfigs', 'cluster', TYPE);
  const frr = (): string => house.names('frrconfigurations')[0] ?? '';

  it('is told and waited out while the webhook is down, and nothing is Degraded', async () => {
    await house.webhook?.down();
    await house.create(config());
    await house.until('it waits for the webhook', () => applied()?.reason === 'WebhookUnavailable');
    assert.equal(applied()?.status, 'False');
    assert.match(applied()?.message ?? '', /failed calling webhook/);
    assert.equal(house.phase('cudnbgpconfigs', 'cluster'), 'Configuring');
    const writes = house.watched.get('cudnbgpconfigs')?.history.length ?? 0;
    await sleep(3_000);
    const more = (house.watched.get('cudnbgpconfigs')?.history.length ?? 0) - writes;
    assert.ok(more <= 2, `the status rests: ${more} writes in 3 s`);
    await house.webhook?.up();
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    assert.equal(applied()?.reason, 'Applied');
  });

  it('names the node where the webhook denies an object, and the other zones go on', async () => {
    await house.api.apply({
      apiVersion: 'frrk8s.metallb.io/v1beta1',
      kind: 'FRRConfiguration',
      metadata: { name: 'theirs', namespace: 'openshift-frr-k8s' },
      spec: {
        nodeSelector: { matchLabels: { 'kubernetes.io/hostname': 'b1' } },
        bgp: { routers: [{ asn: 65_001, neighbors: [{ address: '10.0.2.9', asn: 64_600 }] }] },
      },
    });
    const changed = JSON.stringify(config()).replace('"10.0.2.204","remoteASN":64512', () => {
      return '"10.0.2.9","remoteASN":64512';
    });
    await house.create(JSON.parse(changed));
    await house.until('it is denied', () => applied()?.reason === 'ApplyFailed');
    assert.match(applied()?.message ?? '', /is denied: .*resource is invalid for node b1/);
    assert.equal(house.phase('cudnbgpconfigs', 'cluster'), 'Degraded');
    await house.delete('frrconfigurations', 'theirs');
    await house.create(config());
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
  });

  it('does not stop the routings, which were never in trouble', async () => {
    await house.create(routing('cudn1', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'cudn1', 'Ready');
  });

  it('by a writer that insists is answered rarely, named, and mended when it stops', async () => {
    const name = frr();
    const path = house.path('frrconfigurations', name);
    const history = house.watched.get('frrconfigurations')?.history ?? [];
    const isOurs = (object: { spec: { raw?: unknown } }): boolean => object.spec.raw === undefined;
    const meddle = { spec: { raw: { rawConfig: 'ip prefix-list mine permit any', priority: 5 } } };
    const from = history.length;
    for (const untilMs = Date.now() + 20_000; Date.now() < untilMs; await sleep(100))
      await house.api.patch(`${path}?fieldManager=their-operator`, meddle);
    const ours = history
      .slice(from)
      .filter(({ object }) => object.metadata.name === name && isOurs(object));
    console.log(`      ${ours.length} writes of ours in 20 s`);
    assert.ok(ours.length < 40, `${ours.length} writes in 20 s`);
    const contest = (): Condition | undefined =>
      house.condition('cudnbgpconfigs', 'cluster', 'ForeignWriter');
    await house.until('it is told', () => contest()?.status === 'True');
    assert.match(contest()?.message ?? '', /their-operator on FRRConfiguration/);
    const told = [...(house.watched.get('events')?.objects.values() ?? [])].filter(
      ({ reason, note }) => reason === 'ForeignWriter' && note.startsWith('their-operator'),
    );
    assert.equal(told.length, 1);
    await house.until('mended', () => isOurs(house.get('frrconfigurations', name)), 90_000);
  });
});

describe('kinds of BGP routing that appear later', function () {
  this.timeout(240_000);

  it('are waited for without a crash, told, and picked up when they are served', async () => {
    const house = await openBgpHouse({ platform: ['networks'] });
    try {
      const started = house.rooms?.all.map(({ pid }) => pid);
      await house.create(config());
      await house.watched.get('cudnbgpconfigs')?.start();
      await house.until('it waits', () => house.phase('cudnbgpconfigs', 'cluster') !== '');
      assert.notEqual(house.phase('cudnbgpconfigs', 'cluster'), 'Ready');
      await house.serveAll();
      await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
      assert.deepEqual(
        house.rooms?.all.map(({ pid }) => pid),
        started,
        'no room was started again',
      );
    } finally {
      await house.stop();
    }
  });
});
