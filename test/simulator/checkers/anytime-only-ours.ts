/** At any time: the rooms write only what is theirs: status and mark, and claims that they made. */
import { isDeepStrictEqual } from 'node:util';
import { CLOUD_CLAIMS, EGRESSIPS, EVENTS } from '../../../edge/simulated/admission.ts';
import { routingCollections } from '../../../edge/simulated/kinds.ts';
import type { Checker } from '../checker.ts';
import { MARK } from '../objects.ts';
import { RECORDS } from '../simulation.ts';
import { readClaim } from '../truth.ts';
import { isRoom } from './writes.ts';

const name = 'anytime-only-ours';

export const onlyOurs = (): Checker => ({
  name,
  onChange: (world, { collection, type, by, before, object }) => {
    if (!isRoom(by) || [EVENTS, RECORDS, ...routingCollections].includes(collection)) return;
    const what = `${by} changes ${object.metadata.name}`;
    if (!by.startsWith('publisher')) world.fail(name, what);
    if (collection === CLOUD_CLAIMS) {
      if (before !== undefined && readClaim(before).owner === '') world.fail(name, what);
      return;
    }
    if (collection !== EGRESSIPS || type !== 'MODIFIED' || before === undefined)
      return world.fail(name, `${what}: ${type}`);
    if (!isDeepStrictEqual(theirs(before), theirs(object))) world.fail(name, what);
  },
});

/** The object without what is ours. */
function theirs(object: object): unknown {
  const { status: _, ...rest } = structuredClone(object) as Record<string, unknown>;
  const metadata = { ...(rest['metadata'] as Record<string, unknown>) };
  delete metadata['resourceVersion'];
  const annotations = { ...(metadata['annotations'] as Record<string, unknown> | undefined) };
  delete annotations[MARK];
  return { ...rest, metadata: { ...metadata, annotations } };
}
