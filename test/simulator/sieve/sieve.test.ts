/** Sieve's plans: whatever goes wrong at one point of a scenario, it ends as if nothing had. */
import assert from 'node:assert/strict';
import { play } from './play.ts';
import { routingScenarios } from './routing-scenarios.ts';
import { scenarios } from './scenarios.ts';
import { allPlansOf, LEAST_PLANS, nameOf, plansOf, sift } from './sieve.ts';

/** Here every eighth plan is played, always the same; `make sieve` plays all of them. */
const STRIDE = 8;
/** Those of routing last longer. */
const ROUTING_STRIDE = 96;

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

  it('are not spared any plan that was there before', () => {
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

  it('play no plan that another one stands for', () => {
    const steps = [
      { point: 'append', index: 0, by: 'bgp-1', echo: false },
      { point: 'heard', index: 0, by: 'bgp-1', echo: true },
      { point: 'heard', index: 1, by: 'bgp-1', echo: false },
      { point: 'heard', index: 2, by: 'watcher-1', echo: false },
      { point: 'heard', index: 3, by: 'bgp-1', echo: false },
      { point: 'append', index: 1, by: 'bgp-1', echo: false },
    ] as const;
    const run = { failure: undefined, end: '', trail: steps, struck: false };
    const crashes = plansOf(run).filter(({ harm }) => harm === 'crash');
    assert.deepEqual(crashes.map(nameOf), [
      'crash at append 0',
      'crash at heard 2',
      'crash at heard 3',
      'crash at append 1',
    ]);
    assert.ok(plansOf(run).every(({ point, index }) => point !== 'heard' || index !== 0));
    assert.equal(allPlansOf(run).length, 18);
  });
});
