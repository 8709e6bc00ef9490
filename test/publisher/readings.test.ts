/**
 * What Prometheus is shown of the publisher, upstream's names beside ours (spec/egressip.md 8.2).
 */
import assert from 'node:assert/strict';
import { metricsOf } from '../../edge/vitals.ts';
import { freshVitals } from '../../edge/vitality.ts';
import { readings } from '../../services/publisher/readings.ts';
import { item, stage, type Stage } from './scene.ts';

/** The page as Prometheus reads it, a sample a line. */
async function pageOf({ bench }: Stage): Promise<readonly string[]> {
  const metrics = metricsOf({ ...freshVitals(), readings: () => readings(bench.world) });
  const { text } = await metrics.page();
  return text.split('\n');
}

describe('the metrics of the publisher', () => {
  it('go by the names that dashboards of upstream know', async () => {
    const scene = await stage(['web', 'other']);
    scene.place('web', [item('10.0.0.1', 'n1'), item('10.0.0.2', 'n2')]);
    scene.place('web', [item('10.0.0.1', 'n2')]);
    const seen = { kind: 'ReachabilitySeen', name: 'n1', uid: 'uid-n1', because: '' } as const;
    scene.bench.hear('watcher', { ...seen, reachable: true });
    scene.bench.hear('watcher', { ...seen, reachable: false });
    scene.bench.hear('watcher', { ...seen, reachable: false });
    const page = await pageOf(scene);
    assert.ok(page.includes('ovnkube_clustermanager_num_egress_ips 1'));
    assert.ok(page.includes('ovnkube_clustermanager_egress_ips_rebalance_total 2'));
    assert.ok(page.includes('ovnkube_clustermanager_egress_ips_node_unreachable_total 1'));
  });

  it('count writes by what came of them, and how long they took', async () => {
    const scene = await stage(['web']);
    scene.place('web', [item('10.0.0.1', 'n1')]);
    await scene.bench.rest(({ method }) => (method === 'PATCH' ? 500 : 0));
    await scene.bench.sleep(1_000);
    await scene.bench.rest();
    const page = await pageOf(scene);
    assert.ok(page.includes('sluice_writes_total{result="failed"} 1'));
    assert.ok(page.includes('sluice_writes_total{result="done"} 1'));
    assert.ok(page.includes('sluice_write_seconds_bucket{le="0.005"} 2'));
    assert.ok(page.includes('sluice_write_seconds_count 2'));
    assert.ok(page.includes('sluice_foreign_writes_total 0'));
  });

  it('tell how many addresses have no node, by reason, and forget what is settled', async () => {
    const scene = await stage(['web']);
    const level = { name: 'web', uid: scene.model.egressIPs.get('web')?.uid ?? '', placements: [] };
    const refusal = { address: '10.0.0.1', node: '', egressIP: '', previous: '' };
    scene.bench.decide([
      {
        kind: 'EgressIPDecided',
        ...level,
        refusals: [{ ...refusal, reason: 'NoAvailableNode' }],
        mark: 50_000,
        markSerial: 0,
        cloud: false,
        rests: [],
        notices: [],
      },
    ]);
    assert.ok(
      (await pageOf(scene)).includes('sluice_unassigned_addresses{reason="NoAvailableNode"} 1'),
    );
    scene.place('web', [item('10.0.0.1', 'n1')]);
    assert.ok(
      (await pageOf(scene)).includes('sluice_unassigned_addresses{reason="NoAvailableNode"} 0'),
    );
  });
});
