/** At any time: nobody talks without end: so many words in so short a time say nothing. */
import type { Checker } from '../checker.ts';

const name = 'anytime-moderate';

const MOST = 400;
const WITHIN_MS = 10_000;

export const moderate = (): Checker => ({
  name,
  onAppend: (world, { by, atMs }) => {
    const { appends } = world.log;
    const before = appends[appends.length - MOST];
    if (before !== undefined && atMs - before.atMs < WITHIN_MS)
      world.fail(name, `${by} is one of those who said ${MOST} things in ${WITHIN_MS} ms`);
  },
});
