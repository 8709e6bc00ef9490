/** Sieve's plans: whatever goes wrong at one point of a scenario, it ends as if nothing had. */
import assert from 'node:assert/strict';
import { routingScenarios } from './routing-scenarios.ts';
import { scenarios } from './scenarios.ts';
import { play, plansOf, sift } from './sieve.ts';

/** `make test` plays every eighth plan, `make sieve` all of them. */
const STRIDE = Number(process.env['STRIDE'] || 8);
/** Those of routing last longer. */
const ROUTING_STRIDE = Number(process.env['ROUTING_STRIDE'] || STRIDE * 16);

/** There are so many plans; fewer would mean that something is not tried any more. */
const LEAST_PLANS = 6_500;

describe('the rooms, with one thing going wrong at each point of a scenario', function () {
  this.timeout(600_000);
  let plans = 0;

  for (const scenario of scenarios)
    it(`end as if nothing had, when ${scenario.name}`, async () => {
      const sifted = await sift(scenario, STRIDE);
      plans += sifted.plans;
      assert.deepEqual(sifted.wrong, []);
    });

  for (const scenario of routingScenarios)
    it(`end as if nothing had, when ${scenario.name}`, async () => {
      const sifted = await sift(scenario, ROUTING_STRIDE);
      plans += sifted.plans;
      assert.deepEqual(sifted.wrong, []);
    });

  it('are not spared any of the plans', () => {
    const count = scenarios.length + routingScenarios.length;
    console.log(`      ${plans} plans of ${count} scenarios`);
    assert.ok(plans >= LEAST_PLANS, `${plans} plans`);
  });

  it('would be caught with another end', async () => {
    const [first] = scenarios;
    assert.ok(first !== undefined);
    const whole = await play(first);
    const half = await play({ ...first, when: first.when.slice(0, 1) });
    assert.notEqual(whole.end, half.end);
    assert.ok(plansOf(whole).length > plansOf(half).length);
  });
});
