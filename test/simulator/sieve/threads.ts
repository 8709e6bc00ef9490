/** Runs played on as many threads as there are processors: whoever is free takes the next one. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Run } from './play.ts';
import type { Order } from './worker.ts';

/** A run makes and drops so much that a small nursery would be swept all the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2_048 };

/** `onRun` is told of each run when it has ended, with the place of its order. */
export async function playAll(
  orders: readonly Order[],
  onRun: (run: Run, at: number, ms: number) => void,
): Promise<void> {
  let next = 0;
  const threads = Math.min(availableParallelism(), orders.length);
  const parts = Array.from({ length: threads }, async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits });
    for (let at = next++; at < orders.length; at = next++) {
      const begunMs = performance.now();
      worker.postMessage(orders[at]);
      const [run] = (await once(worker, 'message')) as [Run];
      onRun(run, at, performance.now() - begunMs);
    }
    await worker.terminate();
  });
  await Promise.all(parts);
}
