/** Many seeds, on as many threads as there are processors. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Counted, Tally } from './tally.ts';

export async function simulateMany(from: number, count: number): Promise<Tally> {
  const threads = Math.max(1, Math.min(availableParallelism(), count));
  const to = from + count - 1;
  const tally = new Tally();
  const parts = Array.from({ length: threads }, async (_, index) => {
    const workerData = { from: from + index, to, step: threads };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
    const [counted] = (await once(worker, 'message')) as [Counted];
    tally.merge(counted);
  });
  await Promise.all(parts);
  tally.failed.sort((a, b) => a.seed - b.seed);
  return tally;
}
