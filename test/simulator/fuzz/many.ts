/** Many sequences, on as many threads as there are processors. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Found } from './fuzz.ts';

export type Ended = Found & { readonly seed: number };

/** Ends when all were played, or one has failed. `onEnd` is told of each. */
export async function fuzzMany(
  from: number,
  count: number,
  onEnd: (ended: Ended) => void,
): Promise<Ended | undefined> {
  let next = from;
  const failures: Ended[] = [];
  const threads = Math.max(1, Math.min(availableParallelism(), count));
  const parts = Array.from({ length: threads }, async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    while (next < from + count && failures.length === 0) {
      worker.postMessage(next++);
      const [ended] = (await once(worker, 'message')) as [Ended];
      onEnd(ended);
      if (ended.problems.length > 0) failures.push(ended);
    }
    await worker.terminate();
  });
  await Promise.all(parts);
  return failures.toSorted((a, b) => a.seed - b.seed)[0];
}
