/**
 * Some seeds in a thread of their own: it is asked for one after the other until there are none.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { planOf } from './plan.ts';
import { simulate } from './simulate.ts';
import { Tally } from './tally.ts';

const { from, to, step } = workerData as { from: number; to: number; step: number };
const tally = new Tally();
for (let seed = from; seed <= to; seed += step) tally.add(seed, await simulate(planOf(seed)));
parentPort?.postMessage(tally.counted());
