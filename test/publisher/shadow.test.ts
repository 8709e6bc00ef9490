/**
 * Shadow mode: Sluice runs beside the controller of today, writes nothing, and tells what it would.
 */
import assert from 'node:assert/strict';
import { allDifferences } from '../../services/publisher/difference.ts';
import { readings } from '../../services/publisher/readings.ts';
import { item, stage, type Stage } from './scene.ts';

const shadowOf = ({ bench }: Stage): readonly string[] =>
  bench.said.map(({ event, said }) => {
    assert.equal(event.kind, 'EgressIPPublished');
    assert.ok(event.kind === 'EgressIPPublished' && event.shadow);
    return `${event.name}: ${said}`;
  });

const shown = ({ bench }: Stage): number =>
  [...readings(bench.world)].find(({ name }) => name === 'shadow_differences')?.value ?? -1;

describe('shadow mode', () => {
  it('sends nothing at all to the cluster, and tells once what it would write', async () => {
    const scene = await stage(['web'], { mode: 'shadow' });
    scene.place('web', [item('10.0.0.1', 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(shadowOf(scene), ['web: would write status and mark: 10.0.0.1 on n1']);
    assert.equal(shown(scene), 2);
    scene.model.meddle('web', [item('10.0.0.1', 'n2')]);
    await scene.bench.rest();
    assert.equal(scene.bench.said.length, 1, 'once for a decision');
    assert.deepEqual(scene.model.writes, []);
    assert.equal(scene.bench.pending.length, 0);
  });

  it('records no events, and does not catch up on them when the mode changes', async () => {
    const scene = await stage(['web'], { mode: 'shadow' });
    scene.place('web', [], [{ reason: 'NoAvailableNode', type: 'Warning', note: 'a' }]);
    await scene.bench.rest();
    assert.deepEqual(scene.model.events, []);
    assert.equal(shadowOf(scene).at(-1), 'web: would record NoAvailableNode');
    const { event } = scene.bench.said.at(-1) ?? {};
    assert.ok(event?.kind === 'EgressIPPublished' && event.told > 0);
  });

  it('says nothing after a restart, and nothing when the cluster is as it would be', async () => {
    const scene = await stage(['web'], { mode: 'shadow' });
    scene.model.meddle('web', [item('10.0.0.1', 'n1')]);
    const known = scene.model.egressIPs.get('web');
    if (known !== undefined) known.mark = '50000';
    scene.model.tell('web');
    await scene.bench.rest();
    scene.place('web', [item('10.0.0.1', 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(scene.bench.said, []);
    scene.place('web', [item('10.0.0.1', 'n2')]);
    await scene.bench.rest();
    assert.equal(scene.bench.said.length, 1);
    await scene.bench.restart(() => true);
    await scene.bench.rest();
    assert.equal(scene.bench.said.length, 1);
  });

  it('shows per address what the cluster has and what would be written', async () => {
    const scene = await stage(['web'], { mode: 'shadow' });
    scene.model.meddle('web', [item('10.0.0.1', 'n1'), item('10.0.0.2', 'n2')]);
    await scene.bench.rest();
    scene.place('web', [item('10.0.0.1', 'n2')]);
    const of = { kind: 'egressip', name: 'web' };
    assert.deepEqual(allDifferences(scene.bench.world), [
      { ...of, what: '10.0.0.1', cluster: 'n1', sluice: 'n2' },
      { ...of, what: '10.0.0.2', cluster: 'n2', sluice: '' },
      { ...of, what: 'mark', cluster: '', sluice: '50000' },
    ]);
  });

  it('shows the claims that it would request of the cloud', async () => {
    const scene = await stage(['web'], { mode: 'shadow', cloud: true });
    scene.place('web', [item('10.0.0.1', 'n2')]);
    await scene.bench.rest();
    assert.deepEqual(allDifferences(scene.bench.world).at(-1), {
      kind: 'cloudprivateipconfig',
      name: '10.0.0.1',
      what: '10.0.0.1',
      cluster: '',
      sluice: 'n2 (web)',
    });
    assert.deepEqual(scene.model.writes, []);
  });
});
