/** Plays the sequences that it is sent, one after the other, and tells what was found. */
import { parentPort } from 'node:worker_threads';
import { must } from '../../../core/assert.ts';
import { fuzz, sequenceFor } from './fuzz.ts';

const port = must(parentPort ?? undefined, 'the thread that sends the seeds');
port.on('message', (seed: number) => {
  void fuzz(sequenceFor(seed)).then((found) => port.postMessage({ seed, ...found }));
});
