/** A random sequence of changes of objects, and what the API server lets in of it. */
import type { Collection, KubeObject } from '../../../core/door.ts';
import { isObject, type JsonObject, property } from '../../../core/json.ts';
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import { CONFIGS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import { type Draw, draw } from '../draw.ts';
import { generate, schemaOf, specOf } from './generate.ts';
import { loosened, refusals, shaped } from './schema.ts';

const ours: ReadonlyMap<Collection, JsonObject> = new Map([
  [EGRESSIPS, schemaOf('k8s.ovn.org_egressips')],
  [CONFIGS, schemaOf('networking.openshift.io_cudnbgpconfigs')],
  [ROUTINGS, schemaOf('networking.openshift.io_cudnbgproutings')],
]);

const originals = new Map([...ours].map(([kind, schema]) => [kind, loosened(schema)] as const));

export const collections = [...ours.keys()];

const names: Readonly<Record<Collection, readonly string[]>> = {
  [EGRESSIPS]: ['e1', 'e2', 'e3'],
  [CONFIGS]: ['cluster', 'cluster', 'cluster', 'other'],
  [ROUTINGS]: ['r1', 'r2', 'r3'],
};

/** `undefined` = it is deleted. */
export interface Change {
  readonly collection: Collection;
  readonly name: string;
  readonly spec: JsonObject | undefined;
}

export interface Sequence {
  /** The schemas of the chart, or those of the operator before, which refuse hardly anything. */
  readonly schemas: 'ours' | 'original';
  readonly changes: readonly Change[];
}

export function sequenceOf(seed: number, count: number): Sequence {
  const chance = draw(seed, 'fuzz');
  const schemas = chance.chance(0.5) ? 'ours' : 'original';
  const changes = Array.from({ length: count }, () => {
    const collection = chance.one(collections);
    const name = chance.one(names[collection] ?? []);
    const spec = chance.chance(0.2) ? undefined : specFor(collection, chance);
    return { collection, name, spec };
  });
  return { schemas, changes };
}

function specFor(collection: Collection, chance: Draw): JsonObject {
  const oddity = chance.one([0, 0, 0.05, 0.2]);
  const schema = specOf(ours.get(collection) ?? {});
  const spec = generate(schema, chance, oddity);
  return isObject(spec) && collection === CONFIGS
    ? oneWay(spec, chance, oddity)
    : (spec as JsonObject);
}

/** Zones that are named, or AWS: both, or neither, make no sense. */
function oneWay(spec: JsonObject, chance: Draw, oddity: number): JsonObject {
  if (chance.chance(oddity)) return spec;
  const { aws, bgp, ...rest } = spec;
  const { availabilityZones: _, ...sessions } = isObject(bgp) ? bgp : {};
  if (isObject(aws) && chance.chance(0.4)) return { ...rest, aws, bgp: sessions };
  const schema = specOf(ours.get(CONFIGS) ?? {});
  const zones = property(
    property(property(property(schema, 'properties'), 'bgp'), 'properties'),
    'availabilityZones',
  );
  const least = { ...(zones as JsonObject), minItems: 1 };
  const made = generate(least, chance, oddity, 'availabilityZones');
  return { ...rest, bgp: { ...sessions, availabilityZones: made } };
}

/** What the server stores as the spec; or undefined, when it refuses the object. */
export function admitted(
  { schemas }: Sequence,
  { collection, name, spec }: Change,
  before: KubeObject | undefined,
): JsonObject | undefined {
  const schema = (schemas === 'ours' ? ours : originals).get(collection) ?? {};
  const object = shaped(schema, { metadata: { name }, spec }) as JsonObject;
  const wrong = refusals(schema, object, before, '');
  return wrong.length > 0 ? undefined : (object['spec'] as JsonObject);
}
