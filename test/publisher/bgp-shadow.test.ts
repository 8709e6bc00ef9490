/** Shadow mode and BGP routing: nothing is written, and all that would have been is told. */
import assert from 'node:assert/strict';
import { allDifferences } from '../../services/publisher/difference.ts';
import { RoutingBench } from './bgp-bench.ts';
import { condition, config, configDecided, decided, frrSpec, LABELS } from './bgp-scene.ts';

async function shadowed(): Promise<RoutingBench> {
  const bench = new RoutingBench('shadow');
  const uid = config(bench);
  const spec = structuredClone(frrSpec);
  spec.bgp.routers[0].asn = 1;
  const metadata = { name: 'az-b', labels: { ...LABELS, 'sluice.dev/advertised': 'no' } };
  const there = bench.model.put('frrconfigurations', { metadata, spec }).metadata.uid;
  const old = bench.model.put('frrconfigurations', { metadata: { name: 'old' }, spec }).metadata;
  await bench.rest();
  bench.hear('bgp', configDecided(uid, 'Ready', [condition('FRRConfigurationApplied')]));
  bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
  bench.hear('bgp', decided('FRRConfiguration', 'az-b', { uid: there }));
  bench.hear('bgp', decided('FRRConfiguration', 'old', { uid: old.uid, want: 'absent' }));
  return await bench.rest();
}

describe('BGP routing in shadow mode', () => {
  it('writes nothing, and tells once what it would have done', async () => {
    const bench = await shadowed();
    assert.deepEqual([bench.writes(), bench.model.events], [[], []]);
    assert.deepEqual(
      bench
        .outcomes()
        .map(({ said }) => said)
        .toSorted(),
      [
        'would have created: zone a wants it',
        'would have deleted: zone a wants it',
        'would have updated (spec.bgp.routers[0].asn, label sluice.dev/advertised): ' +
          'zone a wants it',
        'would write finalizer and status: Ready',
      ],
    );
    await bench.restart();
    await bench.restart((log) => log.toReversed());
    assert.deepEqual([bench.writes(), bench.outcomes()], [[], []]);
  });

  it('shows of each difference what the cluster has, and what it would have', async () => {
    const { world } = await shadowed();
    const rows = allDifferences(world).map(({ kind, name, what, cluster, sluice }) =>
      [`${kind}/${name}`, what, cluster || '-', sluice || '-'].join(' | '),
    );
    assert.deepEqual(rows, [
      'cudnbgpconfig/cluster | finalizer | - | set',
      'cudnbgpconfig/cluster | phase | - | Ready',
      'cudnbgpconfig/cluster | FRRConfigurationApplied | - | True (Applied)',
      'frrconfiguration/az-a | object | - | made',
      'frrconfiguration/az-b | spec.bgp.routers[0].asn | 1 | 65001',
      'frrconfiguration/az-b | label sluice.dev/advertised | no | true',
      'frrconfiguration/old | object | there | -',
    ]);
  });

  it('shows no difference where all is as decided', async () => {
    const bench = await shadowed();
    bench.model.put('frrconfigurations', {
      metadata: { name: 'az-a', labels: LABELS },
      spec: frrSpec,
    });
    bench.hear('bgp', decided('FRRConfiguration', 'az-a', { uid: 'uid-4' }));
    await bench.rest();
    const left = allDifferences(bench.world).filter(({ name }) => name === 'az-a');
    assert.deepEqual(left, []);
  });
});

describe('the numbers of BGP routing for Prometheus', () => {
  it('count writes, failures and restorations by kind', async () => {
    const bench = new RoutingBench();
    bench.hear('bgp', decided('FRRConfiguration', 'az-a'));
    await bench.rest();
    bench.model.edit('frrconfigurations', 'az-a', ({ spec }) => (spec.bgp.routers[0].asn = 1));
    await bench.rest();
    bench.model.fault = () => ({ status: 403, body: {}, message: 'denied', retryAfterMs: 0 });
    bench.hear('bgp', decided('FRRConfiguration', 'az-b'));
    await bench.rest();
    const { readings } = await import('../../services/publisher/readings.ts');
    const all = [...readings(bench.world)].filter(({ name }) => name.startsWith('routing_'));
    assert.deepEqual(
      all.map(({ name, labels, value }) => [name, ...Object.values(labels ?? {}), value]),
      [
        ['routing_writes_total', 'FRRConfiguration', 'create', 1],
        ['routing_writes_total', 'FRRConfiguration', 'update', 1],
        ['routing_write_failures_total', 'FRRConfiguration', 'denied', 1],
        ['routing_drift_restored_total', 'FRRConfiguration', 'update', 1],
      ],
    );
  });
});
