/** Random objects after the schema of a CRD: most are valid, some are not. */
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, property } from '../../../core/json.ts';
import { parseYaml } from '../../../edge/yaml.ts';
import type { Draw } from '../draw.ts';
import { pools } from './pools.ts';

const folder = new URL('../../../helm/sluice/crds/', import.meta.url);

/** The schema of a CRD of the chart, such as `networking.openshift.io_cudnbgpconfigs`. */
export function schemaOf(crd: string): JsonObject {
  const text = readFileSync(new URL(`${crd}.yaml`, folder), 'utf8');
  const spec = property(parseYaml(text), 'spec') as JsonObject;
  const [version] = spec['versions'] as readonly JsonObject[];
  return property(property(version, 'schema'), 'openAPIV3Schema') as JsonObject;
}

export const specOf = (schema: JsonObject): JsonObject =>
  property(property(schema, 'properties'), 'spec') as JsonObject;

const keys = ['bgp_router', 'zone', 'topology.kubernetes.io/zone', 'not/a/label key'];
const values = ['true', 'red', 'us-east-1a', 'not a value'];

/** `oddity` = how often something is not as it should be; `key` = the name of the field. */
export function generate(schema: JsonObject, chance: Draw, oddity: number, key = ''): unknown {
  if (chance.chance(oddity / 4))
    return chance.one<unknown>([null, 'odd', -1, [], {}, true, 1e12, { unknown: 1 }]);
  if (schema['type'] === 'array') return listOf(schema, chance, oddity, key);
  const pool = pools[key];
  if (pool !== undefined) return chance.one(chance.chance(oddity) ? pool.odd : pool.good);
  const given = schema['enum'];
  if (Array.isArray(given)) return chance.one(given as readonly unknown[]);
  if (schema['type'] === 'object') return objectOf(schema, chance, oddity);
  if (schema['type'] === 'boolean') return chance.chance(0.5);
  return schema['type'] === 'integer' ? chance.between(0, 9) : chance.one(values);
}

/** Now and then an empty one, or something twice. */
function listOf(schema: JsonObject, chance: Draw, oddity: number, key: string): unknown {
  const least = Number(schema['minItems'] ?? 1);
  const most = Math.min(Number(schema['maxItems'] ?? 3), least + 2);
  const count = chance.chance(oddity) ? chance.one([0, most + 1]) : chance.between(least, most);
  const item = schema['items'] as JsonObject;
  const list = Array.from({ length: count }, () => generate(item, chance, oddity, key));
  return chance.chance(oddity) ? [...list, ...list.slice(0, 1)] : list;
}

function objectOf(schema: JsonObject, chance: Draw, oddity: number): JsonObject {
  const { properties, additionalProperties } = schema;
  if (isObject(additionalProperties))
    return Object.fromEntries(chance.some(keys).map((key) => [key, chance.one(values)] as const));
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const entries = Object.entries((properties ?? {}) as Record<string, JsonObject>)
    .filter(([key]) => (required.has(key) ? !chance.chance(oddity / 4) : chance.chance(0.5)))
    .map(([key, one]) => [key, generate(one, chance, oddity, key)] as const);
  return Object.fromEntries(entries);
}
