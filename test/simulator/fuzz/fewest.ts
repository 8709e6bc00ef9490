/** The fewest changes of a sequence that still end in a problem. */
import { fuzz, sequenceFor } from './fuzz.ts';

/** Leaves out ever smaller parts (delta debugging). Returns the places of those that are needed. */
export async function fewest(seed: number): Promise<readonly number[]> {
  let kept = sequenceFor(seed).changes.map((_, index) => index);
  for (let size = Math.ceil(kept.length / 2); size > 0; ) {
    const smaller = await without(seed, kept, size);
    if (smaller === undefined) size = size === 1 ? 0 : Math.ceil(size / 2);
    else kept = [...smaller];
  }
  return kept;
}

/** The first part of that size that is not needed is left out; undefined = all are. */
async function without(
  seed: number,
  kept: readonly number[],
  size: number,
): Promise<readonly number[] | undefined> {
  for (let from = 0; from < kept.length; from += size) {
    const rest = kept.filter((_, at) => at < from || at >= from + size);
    const { problems } = await fuzz(sequenceFor(seed, new Set(rest)));
    if (problems.length > 0) return rest;
  }
  return undefined;
}
