/** Simulates the seeds that it is sent, one after the other, and tells what each has shown. */
import { must } from '../../core/assert.ts';
import { parentPort } from 'node:worker_threads';
import { planOf } from './plan.ts';
import { simulate } from './simulate.ts';
import { Tally } from './tally.ts';

const port = must(parentPort ?? undefined, 'the thread that sends the seeds');
port.on('message', (seed: number) => {
  void simulate(planOf(seed)).then((outcome) => {
    const tally = new Tally();
    tally.add(seed, outcome);
    port.postMessage(tally.counted());
  });
});
