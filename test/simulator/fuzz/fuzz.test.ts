/** Objects after the schemas of the CRDs, sensible or not, in any order: nothing breaks. */
import assert from 'node:assert/strict';
import { changesOf, fuzz } from './fuzz.ts';

/** `SEQUENCES=` sets the number. */
const SEQUENCES = Number(process.env['SEQUENCES'] || 8);

describe('the rooms, under objects that follow the schemas, and some that do not', function () {
  this.timeout(600_000);

  it('never end by a bug, and tell something of each object that there is', async () => {
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const { failure, untold } = await fuzz(changesOf(seed, 20));
      assert.deepEqual([seed, failure, untold], [seed, undefined, []]);
    }
  });
});
