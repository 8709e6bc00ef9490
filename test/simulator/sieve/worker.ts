/** Plays the runs that it is sent, one after the other, and tells how each ended. */
import { parentPort } from 'node:worker_threads';
import { must } from '../../../core/assert.ts';
import { type Disturbance, play } from './play.ts';
import { allScenarios } from './sieve.ts';

/** One run of the scenario that has this place among all. */
export interface Order {
  readonly scenario: number;
  readonly disturbance: Disturbance | undefined;
}

const port = must(parentPort ?? undefined, 'the thread that sends the orders');
port.on('message', ({ scenario, disturbance }: Order) => {
  const one = must(allScenarios[scenario], `scenario ${scenario}`);
  void play(one, disturbance).then((run) => port.postMessage(run));
});
