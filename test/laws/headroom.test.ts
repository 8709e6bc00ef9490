/** A law: headroom is the plan of losing each single node and zone, whatever happened before. */
import assert from 'node:assert/strict';
import type { Fact } from '../../core/fact.ts';
import { Picture } from '../../services/assigner/explain-picture.ts';
import { Headroom } from '../../services/assigner/headroom.ts';
import { headroomOf } from '../../services/assigner/headroom-watch.ts';
import { lossOf } from '../../services/assigner/headroom-loss.ts';
import { planOf } from '../../services/assigner/plan.ts';
import { whole } from '../../services/assigner/plan-rest.ts';
import { seeded } from '../every.ts';
import { Bench, egressIP, node, sees } from './assigner-bench.ts';
import {
  Cluster,
  gone,
  randomChange,
  randomCluster,
  withRoom,
  ZONE,
  zoneOf,
} from './plan-worlds.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 120);
const CHANGES = 6;

type Losses = Readonly<Record<string, readonly string[]>>;

/** The dumb way: a plan for each. */
function byPlans(cluster: Cluster): Losses {
  const picture = new Picture({ excluded: undefined });
  for (const heard of cluster.bench.log.values()) picture.hear(heard);
  const found: [string, readonly string[]][] = [];
  const lose = (target: string, changes: readonly Fact[]): void => {
    const { shifts } = planOf(picture, changes);
    const homeless = shifts.filter(({ what }) => what === 'homeless');
    const names = homeless.map(({ egressIP, address }) => `${egressIP} ${address}`);
    if (names.length > 0) found.push([target, names.toSorted()]);
  };
  for (const node of cluster.nodes.values()) lose(`node/${node.name}`, [gone(node)]);
  const zones = new Set([...cluster.nodes.values()].map(({ labels }) => labels[ZONE] ?? ''));
  for (const zone of zones) lose(`zone/${zone}`, zoneOf(cluster, zone).map(gone));
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function told(headroom: Headroom): Losses {
  let steps = 0;
  while (headroom.step()) assert.ok(++steps < 100_000, 'it comes to an end');
  const found = [...headroom.losses].map(([target, homeless]): [string, readonly string[]] => {
    const names = homeless.map(({ egressIP, address }) => `${egressIP} ${address}`);
    return [target, names.toSorted()];
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('headroom, in random clusters', function () {
  this.timeout(180_000);

  it(`is the plan of losing each node and zone, kept up to date (${SEEDS} clusters)`, () => {
    let [short, clouds] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const cluster = randomCluster(seed);
      const headroom = headroomOf(cluster.bench.world);
      const draw = seeded(seed + 2_000_000);
      for (let change = 0; change < CHANGES; change++) {
        const dumb = byPlans(cluster);
        assert.deepEqual(told(headroom), dumb, `seed ${seed}, after ${change} changes`);
        assert.deepEqual(told(new Headroom(cluster.bench.world)), dumb, `seed ${seed}, anew`);
        short += Object.keys(dumb).length;
        if (cluster.cloud) clouds++;
        if (cluster.nodes.size < 2 || cluster.egressIPs.size < 2) break;
        cluster.change(randomChange(cluster, draw));
      }
    }
    assert.ok(short > SEEDS * 2, `only ${short} losses left somebody without a node`);
    assert.ok(clouds > SEEDS, `only ${clouds} were on a cloud`);
  });

  it('is the same when so many addresses are displaced that their room is summed up', () => {
    let safe = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const cluster = randomCluster(seed);
      const dumb = byPlans(cluster);
      for (const host of cluster.bench.world.hosts.values()) {
        const found = whole(lossOf(cluster.bench.world, new Set([host]), 0));
        const names = found.map(({ egressIP, address }) => `${egressIP} ${address}`).toSorted();
        assert.deepEqual(names, dumb[`node/${host.name}`] ?? [], `seed ${seed}, ${host.name}`);
        if (cluster.cloud && host.load > 0 && names.length === 0) safe++;
      }
    }
    assert.ok(safe > SEEDS / 4, `only ${safe} nodes of clouds could be lost`);
  });

  it('has nothing to compute while nothing changes', () => {
    const cluster = randomCluster(7);
    const headroom = headroomOf(cluster.bench.world);
    told(headroom);
    assert.deepEqual([headroom.pending, headroom.step()], [0, false]);
  });

  it('knows that a node rests after a failure, and when it may be asked again', () => {
    const cluster = new Cluster(true, 'off');
    const { bench } = cluster;
    const [a, b] = [withRoom(node('a', 1), {}), withRoom(node('b', 2), {})];
    cluster.change([sees(a), sees(b), egressIP('x', ['10.0.0.100'])]);
    const headroom = headroomOf(bench.world);
    assert.deepEqual(told(headroom), {});
    const failed = { owner: 'x', node: 'a', statusNode: 'a', assigned: 'False', message: 'full' };
    const name = '10.0.0.100';
    const claim = { name, uid: `uid-${name}`, ...failed, sinceMs: 0, deleting: false };
    bench.hear([{ kind: 'CloudClaimSeen', claim }]);
    bench.world.reach(60_000);
    bench.decide();
    cluster.change([sees(b)]);
    assert.deepEqual(bench.placements('x'), { '10.0.0.100': 'b' });
    assert.deepEqual(told(headroom), { 'node/b': ['x 10.0.0.100'] });
    bench.world.reach(60_000 + 15 * 60_000);
    bench.decide();
    assert.deepEqual(told(headroom), {});
  });

  it('says nothing of a cluster that was not seen whole', () => {
    assert.equal(new Headroom(new Bench('off').world).step(), false);
  });
});
