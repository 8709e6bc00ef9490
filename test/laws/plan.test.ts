/** A law: the plan is what the assigner then decides when the change really happens. */
import assert from 'node:assert/strict';
import { Picture } from '../../services/assigner/explain-picture.ts';
import { type Plan, planOf } from '../../services/assigner/plan.ts';
import { seeded } from '../every.ts';
import { type Cluster, randomChange, randomCluster } from './plan-worlds.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 600);

function pictureOf({ bench }: Cluster): Picture {
  const picture = new Picture({ excluded: undefined });
  for (const heard of bench.log.values()) picture.hear(heard);
  return picture;
}

/** What differs between two states of the cluster, as the plan would tell it. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const all = keys.map((key) => `${key} ${before.get(key) ?? '–'} → ${after.get(key) ?? '–'}`);
  return all.filter((_, at) => before.get(keys[at] ?? '') !== after.get(keys[at] ?? ''));
}

const told = ({ shifts }: Plan): readonly string[] =>
  shifts
    .filter(({ from, to }) => from !== to)
    .map(
      ({ egressIP, address, from, to }) => `${egressIP} ${address} ${from || '–'} → ${to || '–'}`,
    )
    .toSorted();

function checkWords({ shifts }: Plan, cluster: Cluster, seed: number): void {
  for (const { egressIP, address, what, because } of shifts) {
    const wanted = cluster.egressIPs.get(egressIP)?.addresses.includes(address) === true;
    if (what === 'homeless' || what === 'refused') {
      assert.ok(wanted, `seed ${seed}: ${address} is asked for`);
      assert.notEqual(because, '', `seed ${seed}: ${address} ${what}, and why`);
    }
    if (what === 'released') assert.ok(!wanted, `seed ${seed}: ${address} is not asked for`);
    if (what === 'moves') assert.notEqual(because, '', `seed ${seed}: ${address} moves, and why`);
  }
}

describe('sluice plan, in random clusters', function () {
  this.timeout(120_000);

  it(`says what the assigner then decides, and nothing else (${SEEDS} changes)`, () => {
    const seen = { moves: 0, homeless: 0, placed: 0, released: 0, refused: 0, clouds: 0, more: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const cluster = randomCluster(seed);
      const change = randomChange(cluster, seeded(seed + 1_000_000));
      const before = cluster.homes;
      const plan = planOf(pictureOf(cluster), change);
      assert.equal(plan.undecided, 0, `seed ${seed}: the cluster is at rest`);
      const { rounds } = cluster;
      cluster.change(change);
      assert.deepEqual(told(plan), differences(before, cluster.homes), `seed ${seed}`);
      checkWords(plan, cluster, seed);
      for (const { what } of plan.shifts) seen[what]++;
      if (cluster.cloud) seen.clouds++;
      if (cluster.rounds > rounds + 1) seen.more++;
    }
    for (const [what, times] of Object.entries(seen))
      assert.ok(times > SEEDS / 40, `${what} happened ${times} times only`);
  });

  it('changes nothing: the picture says the same before and after', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const cluster = randomCluster(seed);
      const picture = pictureOf(cluster);
      const change = randomChange(cluster, seeded(seed + 1_000_000));
      assert.deepEqual(planOf(picture, change), planOf(picture, change), `seed ${seed}`);
      assert.deepEqual(told(planOf(picture, [])), [], `seed ${seed}: no change, no plan`);
    }
  });
});
