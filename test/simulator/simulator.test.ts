/** The rooms under faults: every seed another world, another fate, and the same judges. */
import assert from 'node:assert/strict';
import { simulateMany } from './many.ts';
import { planOf } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { Checker } from './checker.ts';

/** `make simulate` runs more of them. */
const SEEDS = Number(process.env['SEEDS'] ?? 110);

describe('the rooms, through simulated faults', function () {
  this.timeout(600_000);

  it('keep all laws at any time, come to match the cluster, and then are silent', async () => {
    const tally = await simulateMany(1, SEEDS);
    console.log(`      ${tally.summary()}`);
    const told = tally.failed.map(
      ({ seed, checker, sentence }) => `make simulate SEED=${seed} → ${checker}: ${sentence}`,
    );
    assert.deepEqual(told, []);
    // One world in six has AWS: few of them do not see all that can befall it.
    const missing = tally.missing().filter((kind) => SEEDS >= 500 || !kind.startsWith('AWS'));
    assert.deepEqual(missing, [], 'each fault befell somebody in some seed');
  });

  it('do the very same again with the same seed, and something else with another', async () => {
    for (const seed of [3, 17, 29]) {
      const hashes = [await simulate(planOf(seed)), await simulate(planOf(seed))];
      assert.equal(hashes[0]?.hash, hashes[1]?.hash, `seed ${seed}`);
      assert.notEqual(hashes[0]?.hash, (await simulate(planOf(seed + 1))).hash);
    }
  });

  it('tell a failure, and which few steps are enough for it', async () => {
    const objector = (): Checker => ({
      name: 'anytime-nobody-leaves',
      onChange: (world, { type, collection }) => {
        if (type === 'DELETED' && collection.endsWith('/nodes'))
          world.fail('anytime-nobody-leaves', 'a node left');
      },
    });
    const seed = 175;
    const { failure } = await simulate(planOf(seed), undefined, [objector()]);
    assert.equal(failure?.checker, 'anytime-nobody-leaves');
    const keep = await shrink(seed, 'anytime-nobody-leaves', 60, () => [objector()]);
    assert.equal(keep.length, 1, `${keep.join()} of ${planOf(seed).steps.length} steps`);
  });
});
