/** At any time: of the objects of BGP the rooms write only their own, and only what is theirs. */
import { isDeepStrictEqual } from 'node:util';
import {
  CONFIGS,
  OPERATOR_NETWORKS,
  ROUTINGS,
  routingCollections,
} from '../../../edge/simulated/kinds.ts';
import type { KubeObject } from '../../../core/door.ts';
import type { Checker } from '../checker.ts';
import { isOurs, metaOf, ownKinds, specOf } from '../routing/truth.ts';
import { isRoom, recently } from './writes.ts';

const name = 'anytime-routing-only-ours';

export const routingOnlyOurs = (): Checker => {
  /** Those that were ours once: whoever takes the label away does not get them. */
  const ours = new Set<string>();
  return {
    name,
    onChange: (world, { collection, by, before, object, type }) => {
      if (!routingCollections.includes(collection)) return;
      if (isOurs(object)) ours.add(object.metadata.uid);
      if (!isRoom(by)) return;
      const what = `${by} ${type} ${collection.split('/').at(-1)}/${object.metadata.name}`;
      if (!by.startsWith('publisher')) world.fail(name, what);
      if (ownKinds.includes(collection)) {
        const was = before ?? object;
        if (!ours.has(was.metadata.uid) && !recently(world, was.metadata.name))
          world.fail(name, `${what}, which is not ours`);
        return;
      }
      const mayWrite = [CONFIGS, ROUTINGS, OPERATOR_NETWORKS].includes(collection);
      if (!mayWrite || before === undefined) return world.fail(name, what);
      if (collection === OPERATOR_NETWORKS) {
        if (!isDeepStrictEqual(others(before), others(object))) world.fail(name, what);
      } else if (!isDeepStrictEqual(specOf(before), specOf(object))) world.fail(name, what);
    },
  };
};

/** The operator's Network without the two fields that are switched on. */
function others(object: KubeObject): unknown {
  const spec = structuredClone(specOf(object));
  delete spec.additionalRoutingCapabilities;
  delete spec.defaultNetwork?.ovnKubernetesConfig;
  return [spec, metaOf(object).labels, metaOf(object).annotations];
}
