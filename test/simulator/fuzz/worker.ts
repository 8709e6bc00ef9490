/** Plays the sequences that it is sent, one after the other, and tells what was found. */
import { serveOrders } from '../threads.ts';
import { fuzz, sequenceFor } from './fuzz.ts';

serveOrders(async (seed: number) => ({ seed, ...(await fuzz(sequenceFor(seed))) }));
