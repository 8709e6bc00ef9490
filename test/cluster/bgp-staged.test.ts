/**
 * Edits of a running config on a real API server, with a webhook that knows frr-k8s' rules and an
 * OVN-Kubernetes that makes copies: nothing is denied, nobody is withdrawn longer than needed.
 */
import assert from 'node:assert/strict';
import { type BgpHouse, openBgpHouse } from './bgp-house.ts';
import { config, namespace, routing, zones } from './bgp-objects.ts';

const LABEL = 'sluice.dev/advertised';

describe('edits of BGP routing on a real API server', function () {
  this.timeout(240_000);
  let house: BgpHouse;
  before(async () => {
    house = await openBgpHouse();
    await house.create(config());
    await house.create(namespace('app-prod', 'prod'));
    await house.create(routing('prod', 'prod', '10.100.0.0/16'));
    await house.untilPhase('cudnbgproutings', 'prod', 'Ready');
    await house.until('each zone has its copies', () => copies().length === zones.length);
  });
  after(() => house?.stop());

  const objects = (): readonly string[] => house.names('frrconfigurations');
  const copies = (): readonly string[] =>
    [...(house.watched.get('frrconfigurations')?.objects.keys() ?? [])].filter((name) =>
      name.startsWith('ovnk-generated-'),
    );
  const routers = (): readonly { asn: number; neighbors: { bfdProfile?: string }[] }[] =>
    objects().map((name) => house.get('frrconfigurations', name).spec.bgp.routers[0]);
  const isLabelled = (name: string): boolean =>
    house.get('frrconfigurations', name)?.metadata.labels[LABEL] === 'true';

  /** Reasons that the config's condition had, in order. */
  function reasons(): readonly string[] {
    const history = house.watched.get('cudnbgpconfigs')?.history ?? [];
    const written: readonly Written[] = history.map(({ object }) => object);
    return written.flatMap(({ status }) =>
      (status?.conditions ?? [])
        .filter(({ type }) => type === 'FRRConfigurationApplied')
        .map(({ reason }) => reason),
    );
  }

  interface Written {
    readonly status?: { readonly conditions?: readonly { type: string; reason: string }[] };
  }

  async function edited(bgp: object, isDone: () => boolean): Promise<void> {
    const names = objects();
    let most = 0;
    const count = (): boolean => {
      most = Math.max(most, names.filter((name) => !isLabelled(name)).length);
      return false;
    };
    const stop = house.watched.get('frrconfigurations')?.onChange(count);
    await house.create(config(zones, bgp));
    await house.until('the edit is in', () => isDone() && names.every(isLabelled), 120_000);
    stop?.();
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    await house.until('the copies are back', () => copies().length === zones.length);
    assert.deepEqual(objects(), names, 'the same objects');
    assert.equal(most, 1, 'one zone at a time');
    assert.ok(reasons().includes('ReplacingSessions'));
    assert.ok(!reasons().includes('ApplyFailed'), 'nothing was denied');
    assert.equal(house.phase('cudnbgproutings', 'prod'), 'Ready');
  }

  it('brings another ASN zone by zone, past the copies of OVN-Kubernetes', async () => {
    await edited({ localASN: 65_002 }, () => routers().every(({ asn }) => asn === 65_002));
  });

  it('switches BFD on, and off again, in the same way', async () => {
    const on = { localASN: 65_002, livenessDetection: 'bfd' };
    const profiles = (): unknown[] =>
      routers().flatMap((one) => one.neighbors.map(({ bfdProfile }) => bfdProfile));
    await edited(on, () => profiles().every((name) => name === 'cudn-bgp'));
    await edited({ localASN: 65_002 }, () => profiles().every((name) => name === undefined));
  });

  it('adds and removes zones without a write to the others', async () => {
    const before = house.get('frrconfigurations', objects()[0] ?? '').metadata.resourceVersion;
    await house.create(config(['a', 'b'], { localASN: 65_002 }));
    await house.until('zone c is gone', () => objects().length === 2);
    await house.create(config(['c', 'a', 'b'], { localASN: 65_002 }));
    await house.until('zone c is back', () => objects().length === 3);
    await house.untilPhase('cudnbgpconfigs', 'cluster', 'Ready');
    const after = house.get('frrconfigurations', objects()[0] ?? '').metadata.resourceVersion;
    assert.equal(after, before);
  });
});
