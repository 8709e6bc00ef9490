/**
 * Somebody else who keeps rewriting an object of BGP routing: restored, named, never fought long.
 */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../core/canonical.ts';
import type { RoutingBench } from './bgp-bench.ts';
import type { Json } from './bgp-model.ts';
import { frrSpec, redecided, settled, standing } from './bgp-scene.ts';

const strangers = [
  { manager: 'sluice', time: '2026-01-05T10:00:02Z', fieldsV1: { 'f:spec': {} } },
  { manager: 'ovnkube', time: '2026-01-05T10:00:03Z', fieldsV1: { 'f:status': {} } },
  { manager: 'argocd', time: '2026-01-05T10:00:01Z', fieldsV1: { 'f:spec': {} } },
];

const isHome = ({ model }: RoutingBench): boolean =>
  canonicalJson(model.get('frrconfigurations', 'az-a')?.spec) === canonicalJson(frrSpec);

const meddle = (bench: RoutingBench): void =>
  bench.model.edit('frrconfigurations', 'az-a', ({ spec }) => (spec.bgp.routers[0].asn = 1));

/** Meddles every 100 ms; returns when our writes were. */
async function fight(bench: RoutingBench, forMs: number, how = meddle): Promise<number[]> {
  const at: number[] = [];
  for (const untilMs = bench.nowMs + forMs; bench.nowMs < untilMs; ) {
    how(bench);
    await bench.rest();
    at.push(
      ...bench
        .writes()
        .filter((write) => write.endsWith('az-a'))
        .map(() => bench.nowMs),
    );
    await bench.pass(100);
  }
  return at;
}

const most = (at: readonly number[], windowMs: number): number =>
  Math.max(...at.map((from) => at.filter((ms) => ms >= from && ms < from + windowMs).length));

describe('a foreign writer of an FRRConfiguration', () => {
  it('that edits it once, and again after 3 s, is undone at once, without alarm', async () => {
    const bench = await settled();
    for (let times = 0; times < 2; times++) {
      meddle(bench);
      await bench.rest();
      assert.ok(isHome(bench));
      await bench.pass(3_000);
    }
    assert.equal(standing(bench, 'ForeignWriter'), undefined);
    assert.deepEqual(bench.model.events, []);
  });

  it('that insists gets under 40 writes in 20 s, is named, and undone at last', async () => {
    const bench = await settled();
    bench.model.managedFields = strangers;
    const at = await fight(bench, 300_000);
    assert.ok(most(at, 20_000) < 40, `${most(at, 20_000)} writes within 20 s`);
    assert.ok(at.length < 50, `${at.length} writes in five minutes`);
    const { status, message } = standing(bench, 'ForeignWriter');
    assert.equal(status, 'True');
    assert.match(message, /argocd on FRRConfiguration az-a/);
    const told = bench.model.events.filter(({ reason }: Json) => reason === 'ForeignWriter');
    assert.equal(told.length, 1);
    assert.match(told[0].note, /^argocd keeps rewriting FRRConfiguration az-a/);
    const stoppedMs = bench.nowMs;
    while (!isHome(bench) && bench.nowMs < stoppedMs + 90_000) await bench.pass(1_000);
    assert.ok(isHome(bench), 'restored within 90 s');
    await bench.pass(130_000);
    assert.equal(standing(bench, 'ForeignWriter'), undefined, 'peace');
  });

  it('that deletes it again and again is not answered for ever either', async () => {
    const bench = await settled();
    const remove = ({ model }: RoutingBench): void => model.remove('frrconfigurations', 'az-a');
    const at = await fight(bench, 60_000, remove);
    assert.ok(most(at, 20_000) < 40, `${most(at, 20_000)} writes within 20 s`);
    assert.match(standing(bench, 'ForeignWriter').message, /^somebody keeps undoing/);
    await bench.pass(90_000);
    assert.ok(isHome(bench));
  });

  it('is still named after a restart, and forgotten in peace', async () => {
    const bench = await settled();
    bench.model.managedFields = strangers;
    await fight(bench, 2_000);
    await bench.rest();
    bench.writes();
    await bench.restart();
    assert.deepEqual(bench.writes(), []);
    await redecided(bench);
    assert.match(standing(bench, 'ForeignWriter').message, /argocd/);
    await bench.pass(130_000);
    assert.equal(standing(bench, 'ForeignWriter'), undefined);
  });

  it('does not hold up what is newly decided, nor is it blamed for late facts', async () => {
    const bench = await settled();
    for (let times = 0; times < 10; times++) {
      const home = structuredClone(bench.model.get('frrconfigurations', 'az-a'));
      bench.model.objects.set('frrconfigurations/az-a', { ...home, spec: {} });
      bench.model.tell('frrconfigurations', 'az-a');
      bench.model.objects.set('frrconfigurations/az-a', home);
      await bench.rest();
    }
    assert.deepEqual(bench.model.events, []);
  });

  it('of a status is answered as rarely', async () => {
    const bench = await settled();
    const rewrite = ({ model }: RoutingBench): void =>
      model.edit('cudnbgpconfigs', 'cluster', (object) => (object.status = { phase: 'Pending' }));
    const writes: number[] = [];
    for (let ms = 0; ms < 60_000; ms += 100) {
      rewrite(bench);
      await bench.rest();
      writes.push(...bench.writes().map(() => bench.nowMs));
      await bench.pass(100);
    }
    assert.ok(most(writes, 20_000) < 40, `${most(writes, 20_000)} writes within 20 s`);
    await bench.pass(90_000);
    assert.equal(bench.model.get('cudnbgpconfigs', 'cluster').status.phase, 'Ready');
  });
});
