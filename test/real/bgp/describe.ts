/** A suite on real BGP, which says why it is left out where a machine cannot have it. */
import type { Suite } from 'mocha';
import { findGround, type Ground } from './ground.ts';

// While the files are read, no test's deadline runs: the build of frr-k8s takes minutes, once.
const ground = await findGround();

/**
 * Describes a suite. Where there is no FRR, or the kernel refuses what a box needs, its tests are
 * counted as skipped, and its title says why.
 */
export function describeRealBgp(
  title: string,
  body: (this: Suite, ground: () => Ground) => void,
): void {
  if (typeof ground === 'string') {
    const why = `${title}: left out, ${ground}`;
    describe.skip(why, function () {
      body.call(this, () => {
        throw new Error(why);
      });
    });
    return;
  }
  describe(title, function () {
    body.call(this, () => ground);
  });
}
