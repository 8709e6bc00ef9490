/** Many seeds, on all processors. */
import { type Counted, Tally } from './tally.ts';
import { onThreads } from './threads.ts';

/** `onSeed` is told of each seed when it has ended, and of all that has been counted until then. */
export async function simulateMany(
  from: number,
  count: number,
  onSeed: (ended: Counted, all: Tally) => void = () => undefined,
): Promise<Tally> {
  const tally = new Tally();
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  await onThreads(new URL('./worker.ts', import.meta.url), seeds, (counted: Counted) => {
    tally.merge(counted);
    onSeed(counted, tally);
  });
  tally.failed.sort((a, b) => a.seed - b.seed);
  return tally;
}
