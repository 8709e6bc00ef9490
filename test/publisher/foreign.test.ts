/**
 * Somebody else who writes what Sluice owns: restored at once, never fought for long, always named.
 */
import assert from 'node:assert/strict';
import { item, stage, type Stage } from './scene.ts';

const home = [item('10.0.0.1', 'n1')];
const theirs = [item('10.0.0.1', 'n2')];

async function settled(): Promise<Stage> {
  const scene = await stage(['web']);
  scene.place('web', home);
  await scene.bench.rest();
  scene.writes();
  return scene;
}

const isHome = ({ model }: Stage): boolean =>
  JSON.stringify(model.egressIPs.get('web')?.items) === JSON.stringify(home);

describe('a foreign writer', () => {
  it('that edits the status once is undone at once, and nobody is alarmed', async () => {
    const scene = await settled();
    scene.model.meddle('web', theirs);
    await scene.bench.rest();
    assert.deepEqual(scene.writes(), ['PATCH web']);
    assert.ok(isHome(scene));
    assert.deepEqual(scene.told(), []);
  });

  it('that removes the mark once is undone at once', async () => {
    const scene = await settled();
    const known = scene.model.egressIPs.get('web');
    assert.equal(known?.mark, '50000');
    if (known !== undefined) known.mark = '';
    scene.model.tell('web');
    await scene.bench.rest();
    assert.equal(scene.model.egressIPs.get('web')?.mark, '50000');
  });

  it('that insists gets 60 writes in 10 s, is named, and undone when it stops', async () => {
    const scene = await settled();
    scene.model.managedFields = [
      { manager: 'sluice', time: '2026-01-01T10:00:02Z', fieldsV1: { 'f:status': {} } },
      { manager: 'old-tool', time: '2026-01-01T10:00:00Z', fieldsV1: { 'f:status': {} } },
      { manager: 'helm', time: '2026-01-01T10:00:03Z', fieldsV1: { 'f:spec': {} } },
      { manager: 'ovnkube', time: '2026-01-01T10:00:01Z', fieldsV1: { 'f:status': {} } },
    ];
    const at: number[] = [];
    for (let ms = 0; ms < 300_000; ms += 100) {
      scene.model.meddle('web', theirs);
      await scene.bench.rest();
      at.push(...scene.writes().map(() => scene.bench.nowMs));
      await scene.bench.sleep(100);
    }
    for (const from of at) {
      const within = at.filter((ms) => ms >= from && ms < from + 10_000).length;
      assert.ok(within <= 60, `${within} writes within 10 s`);
    }
    assert.ok(at.length < 70, `${at.length} writes in 5 minutes`);
    const alarms = scene.told().filter(({ reason }) => reason === 'ForeignWriter');
    assert.equal(alarms.length, 1);
    assert.match(alarms[0]?.note ?? '', /^ovnkube keeps rewriting/);
    const foreign = scene.bench.said.map(
      ({ event }) => event.kind === 'EgressIPPublished' && event.foreign,
    );
    assert.ok(foreign.includes('ovnkube'));
    const stoppedMs = scene.bench.nowMs;
    while (!isHome(scene) && scene.bench.nowMs < stoppedMs + 90_000) {
      await scene.bench.sleep(1_000);
      await scene.bench.rest();
    }
    assert.ok(isHome(scene), 'restored within 90 s');
  });

  it('does not hold up what is newly decided', async () => {
    const scene = await settled();
    for (let ms = 0; ms < 20_000; ms += 100) {
      scene.model.meddle('web', theirs);
      await scene.bench.rest();
      await scene.bench.sleep(100);
    }
    scene.place('web', [item('10.0.0.7', 'n1')]);
    await scene.bench.rest();
    assert.deepEqual(scene.model.egressIPs.get('web')?.items, [item('10.0.0.7', 'n1')]);
  });

  it('is not suspected when a late fact makes the publisher write once more', async () => {
    const scene = await settled();
    const late = scene.model.egressIPs.get('web');
    for (let times = 0; times < 10; times++) {
      if (late !== undefined) late.items = [];
      scene.model.tell('web');
      if (late !== undefined) late.items = home;
      await scene.bench.rest();
    }
    assert.deepEqual(scene.told(), []);
  });
});
