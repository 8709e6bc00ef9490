/** Many sequences, on all processors. */
import { onThreads } from '../threads.ts';
import type { Found } from './fuzz.ts';

export type Ended = Found & { readonly seed: number };

/** Ends when all were played, or one has failed. `onEnd` is told of each. */
export async function fuzzMany(
  from: number,
  count: number,
  onEnd: (ended: Ended) => void,
): Promise<Ended | undefined> {
  const failures: Ended[] = [];
  function* seeds(): Iterable<number> {
    for (let seed = from; seed < from + count && failures.length === 0; seed++) yield seed;
  }
  await onThreads(new URL('./worker.ts', import.meta.url), seeds(), (ended: Ended) => {
    onEnd(ended);
    if (ended.problems.length > 0) failures.push(ended);
  });
  return failures.toSorted((a, b) => a.seed - b.seed)[0];
}
