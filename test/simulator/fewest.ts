/** Delta debugging: which few of many parts are enough for something to go wrong? */

/**
 * Leaves out ever smaller runs of the parts 0 to `count` - 1 as long as the others still fail.
 * Returns what must be kept. `most` = how often `fails` may be asked.
 */
export async function fewest(
  count: number,
  most: number,
  fails: (kept: ReadonlySet<number>) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = Array.from({ length: count }, (_, index) => index);
  let asked = 0;
  for (let parts = 2; kept.length > 0 && asked < most; ) {
    const size = Math.ceil(kept.length / parts);
    let smaller: readonly number[] | undefined;
    for (let from = 0; from < kept.length && smaller === undefined && asked < most; from += size) {
      const rest = kept.filter((_, at) => at < from || at >= from + size);
      asked++;
      if (await fails(new Set(rest))) smaller = rest;
    }
    if (smaller !== undefined) {
      kept = [...smaller];
      parts = Math.max(2, parts - 1);
    } else if (size <= 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}
