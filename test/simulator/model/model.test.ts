/** The assigner in small worlds: each decision is judged by the best that trying all can find. */
import assert from 'node:assert/strict';
import { exhaust, wander } from './explore.ts';
import { judge } from './judge.ts';
import { bare, cloud, tiny } from './land.ts';

describe('the assigner, in worlds small enough to try all', function () {
  this.timeout(600_000);

  it('decides as well as can be, whatever happens next, in every state of the smallest', () => {
    for (const land of [tiny(bare), tiny(cloud)]) {
      const { states, steps } = exhaust(land);
      console.log(`      ${land.name}: ${states} states, ${steps} steps`);
      assert.ok(states > 300, 'the world is not that small');
    }
  });

  it('decides as well as can be on long ways through larger ones', () => {
    for (const land of [bare, cloud]) assert.ok(wander(land, 15_000, 2).states >= 15_000);
  });

  it('is judged by somebody who objects to a move, to a mistake, and to what is left out', () => {
    const state = { nodes: [1, 1, 0, 0], egressIPs: [1, 0, 0] };
    const on = (node: string) => new Map([['x 10.0.0.100', node]]);
    assert.equal(judge(bare, state, new Map(), on('k')), undefined);
    assert.match(judge(bare, state, on('l'), on('k')) ?? '', /left l/);
    assert.match(judge(bare, state, new Map(), on('m')) ?? '', /not good/);
    assert.match(judge(bare, state, new Map(), new Map()) ?? '', /1 could/);
  });
});
