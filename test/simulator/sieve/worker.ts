/** Plays the runs that it is sent, one after the other, and tells how each ended. */
import { must } from '../../../core/assert.ts';
import { serveOrders } from '../threads.ts';
import { type Disturbance, play } from './play.ts';
import { allScenarios } from './sieve.ts';

/** One run of the scenario that has this place among all. */
export interface Order {
  readonly scenario: number;
  readonly disturbance: Disturbance | undefined;
}

serveOrders(({ scenario, disturbance }: Order) =>
  play(must(allScenarios[scenario], `scenario ${scenario}`), disturbance),
);
