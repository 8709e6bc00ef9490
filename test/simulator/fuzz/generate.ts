/** Random objects after the schema of a CRD: most are valid, some are not. */
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, property } from '../../../core/json.ts';
import { parseYaml } from '../../../edge/yaml.ts';
import type { Draw } from '../draw.ts';

const folder = new URL('../../../helm/sluice/crds/', import.meta.url);

/** The schema of `spec` of a CRD of the chart: `networking.openshift.io_cudnbgpconfigs`. */
export function specSchema(crd: string): JsonObject {
  const text = readFileSync(new URL(`${crd}.yaml`, folder), 'utf8');
  const spec = property(parseYaml(text), 'spec') as JsonObject;
  const [version] = spec['versions'] as readonly JsonObject[];
  const schema = property(version?.['schema'], 'openAPIV3Schema');
  return property(property(schema, 'properties'), 'spec') as JsonObject;
}

/** Texts that mean something to somebody, and some that mean nothing to anybody. */
const texts = [
  ...['blue', 'green', 'a', '', 'Not A Name', 'x'.repeat(64), '10.150.0.0/16', '10.150.128.0/20'],
  ...['10.9.1.1', '10.9.2.1', '10.0.0.101', 'fd00::1', '::ffff:10.0.0.1', '10.0.0.300', 'true'],
  ...['us-east-1', '5s', '-1s', 'rs-0123456789abcdef0'],
];
const keys = ['bgp_router', 'zone', 'topology.kubernetes.io/zone', 'not/a/label key'];

/** `oddity` = how often something is not as the schema has it. */
export function generate(schema: JsonObject, chance: Draw, oddity: number): unknown {
  if (chance.chance(oddity)) return chance.one<unknown>([null, 'odd', -1, [], {}, true, 1e12]);
  const given = schema['enum'];
  if (Array.isArray(given)) return chance.one(given as readonly unknown[]);
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, chance, oddity);
    case 'array': {
      const items = schema['items'] as JsonObject;
      const least = Number(schema['minItems'] ?? 0);
      const count = chance.between(least, least + 2);
      return Array.from({ length: count }, () => generate(items, chance, oddity));
    }
    case 'integer':
      return chance.one([1, 65_001, 64_512, Number(schema['maximum'] ?? 7)]);
    case 'boolean':
      return chance.chance(0.5);
    default:
      return chance.one(texts);
  }
}

function objectOf(schema: JsonObject, chance: Draw, oddity: number): JsonObject {
  const { properties, additionalProperties } = schema;
  if (isObject(additionalProperties)) {
    const entries = chance.some(keys).map((key) => [key, chance.one(texts)] as const);
    return Object.fromEntries(entries);
  }
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const entries = Object.entries((properties ?? {}) as Record<string, JsonObject>)
    .filter(([key]) => (required.has(key) ? !chance.chance(oddity) : chance.chance(0.7)))
    .map(([key, one]) => [key, generate(one, chance, oddity)] as const);
  return Object.fromEntries(entries);
}
