/** Simulates the seeds that it is sent, one after the other, and tells what each has shown. */
import { planOf } from './plan.ts';
import { simulate } from './simulate.ts';
import { Tally } from './tally.ts';
import { serveOrders } from './threads.ts';

serveOrders(async (seed: number) => {
  const tally = new Tally();
  tally.add(seed, await simulate(planOf(seed)));
  return tally.counted();
});
