/**
 * Six rounds of `make chaos`, each of another kind: three NATS servers and the API server suffer.
 */
import assert from 'node:assert/strict';
import { lineOf } from './table.ts';
import { playRound } from './round.ts';
import { Site } from './site.ts';

const kinds = [
  'one server killed',
  'all stores restored',
  'all stores lost',
  'API server killed',
  'all streams deleted',
  'all stores restored while rooms are down',
];

describe('three NATS servers, the API server and the rooms', function () {
  this.timeout(240_000);
  let site: Site;
  before(async () => {
    site = await Site.open();
  });
  after(() => site.stop());

  for (const [index, kind] of kinds.entries()) {
    it(`are as they should be after this: ${kind}`, async () => {
      const wish = { seed: 1, round: index + 1, kind, longestMs: 2_000 };
      const result = await playRound(site, wish);
      assert.deepEqual(result.wrong, [], lineOf(result));
    });
  }

  it('have nothing left to do: for 5 s nothing is written to the cluster or the log', async () => {
    assert.ok(await site.silent(5_000), site.picture());
  });
});
