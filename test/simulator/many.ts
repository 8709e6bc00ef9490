/** Many seeds, on as many threads as there are processors: whoever is free takes the next one. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Counted, Tally } from './tally.ts';

/** `onSeed` is told of each seed when it has ended, and of all that has been counted until then. */
export async function simulateMany(
  from: number,
  count: number,
  onSeed: (ended: Counted, all: Tally) => void = () => undefined,
): Promise<Tally> {
  const threads = Math.max(1, Math.min(availableParallelism(), count));
  const tally = new Tally();
  let next = from;
  const parts = Array.from({ length: threads }, async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    while (next < from + count) {
      worker.postMessage(next++);
      const [counted] = (await once(worker, 'message')) as [Counted];
      tally.merge(counted);
      onSeed(counted, tally);
    }
    await worker.terminate();
  });
  await Promise.all(parts);
  tally.failed.sort((a, b) => a.seed - b.seed);
  return tally;
}
