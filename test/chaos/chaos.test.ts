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
  let site: Site | undefined;
  const open = async (): Promise<Site> => (site ??= await Site.open());
  before(open);
  after(() => site?.stop());

  for (const [index, kind] of kinds.entries()) {
    it(`are as they should be after this: ${kind}`, async () => {
      const wish = { seed: 1, round: index + 1, kind, longestMs: 2_000 };
      const result = await playRound(await open(), wish);
      assert.deepEqual(result.wrong, [], lineOf(result));
    });
  }

  it('have nothing left to do: for 5 s nothing is written to the cluster or the log', async () => {
    const here = await open();
    assert.ok(await here.silent(5_000), here.picture());
  });
});
