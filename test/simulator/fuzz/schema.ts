/** What an API server does with a schema: unknown fields go, defaults come, the rest is judged. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, property, textOf } from '../../../core/json.ts';
import { ruleOf } from './rules.ts';

const partsOf = (schema: JsonObject): Readonly<Record<string, JsonObject>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;

/** The value without what the schema does not know, and with the defaults of what is not there. */
export function shaped(schema: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = (schema['items'] ?? {}) as JsonObject;
    return (value as readonly unknown[]).map((one) => shaped(items, one));
  }
  if (!isObject(value) || schema['properties'] === undefined) return value;
  const entries = Object.entries(partsOf(schema)).flatMap(([key, part]) => {
    const given = value[key] ?? part['default'];
    return given === undefined ? [] : [[key, shaped(part, given)] as const];
  });
  return Object.fromEntries(entries);
}

/** What is refused, a path each; `before` = what stood there, where there was something. */
export function refusals(
  schema: JsonObject,
  value: unknown,
  before: unknown,
  path: string,
): readonly string[] {
  const wrong = problemOf(schema, value);
  if (wrong !== undefined) return [`${path}: ${wrong}`];
  const inside = insideOf(schema, value, before, path);
  return inside.length > 0 ? inside : brokenRules(schema, value, before, path);
}

function insideOf(
  schema: JsonObject,
  value: unknown,
  before: unknown,
  path: string,
): readonly string[] {
  if (Array.isArray(value)) {
    const items = (schema['items'] ?? {}) as JsonObject;
    // A list that is replaced as a whole has no old items.
    return (value as readonly unknown[]).flatMap((one, index) =>
      refusals(items, one, undefined, `${path}[${index}]`),
    );
  }
  if (!isObject(value)) return [];
  const more = schema['additionalProperties'];
  return Object.entries(value).flatMap(([key, one]) => {
    const part = isObject(more) ? more : partsOf(schema)[key];
    return part === undefined ? [] : refusals(part, one, property(before, key), `${path}.${key}`);
  });
}

function brokenRules(
  schema: JsonObject,
  value: unknown,
  before: unknown,
  path: string,
): readonly string[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly JsonObject[];
  return rules
    .filter(({ rule }) => !ruleOf(String(rule))(value, before))
    .map(({ message }) => `${path}: ${String(message)}`);
}

type Kinds = Readonly<Record<string, (value: unknown) => boolean>>;

const kinds: Kinds = {
  object: isObject,
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
};

function problemOf(schema: JsonObject, value: unknown): string | undefined {
  const type = textOf(schema['type']);
  if (type !== '' && kinds[type]?.(value) !== true) return `must be of type ${type}`;
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.includes(value)) return 'supported values';
  const missing = ((schema['required'] ?? []) as readonly string[]).find(
    (key) => property(value, key) === undefined,
  );
  if (missing !== undefined) return `${missing}: Required value`;
  const given = schema['pattern'];
  if (typeof given === 'string' && !new RegExp(given).test(String(value))) return 'pattern';
  if (schema['x-kubernetes-list-type'] === 'set' && Array.isArray(value) && hasTwice(value))
    return 'Duplicate value';
  return sizeProblem(schema, value);
}

const hasTwice = (list: readonly unknown[]): boolean =>
  list.some((one, at) => list.slice(0, at).some((other) => isDeepStrictEqual(one, other)));

function sizeProblem(schema: JsonObject, value: unknown): string | undefined {
  const bounds = [
    [value, 'minimum', 'maximum', typeof value === 'number'],
    [String(value).length, 'minLength', 'maxLength', typeof value === 'string'],
    [(value as readonly unknown[] | null)?.length, 'minItems', 'maxItems', Array.isArray(value)],
    [Object.keys(Object(value)).length, 'minProperties', 'maxProperties', isObject(value)],
  ] as const;
  for (const [size, least, most, counts] of bounds) {
    if (!counts) continue;
    if (Number(size) < Number(schema[least] ?? -Infinity)) return least;
    if (Number(size) > Number(schema[most] ?? Infinity)) return most;
  }
  return undefined;
}

/** Rules that the schemas of the original operator have, too (`spec/bgp-operator.md` 2). */
const originals = ['self.aws', 'self == oldSelf'];
/** Its only bounds besides the types: of the two lists, and of the ASNs, which may be 0. */
const kept = new Set(['minItems', 'maximum', 'type', 'enum', 'required', 'default']);

/**
 * The schema as the original operator has it: hardly anything is refused. That the name of a
 * network is for ever is kept, as two holders of one would not differ from one history.
 */
export function loosened(schema: JsonObject): JsonObject {
  const rules = ((schema['x-kubernetes-validations'] ?? []) as readonly JsonObject[]).filter(
    ({ rule }) => originals.some((one) => String(rule).includes(one)),
  );
  const own = Object.entries(schema).filter(([key]) => kept.has(key));
  const parts = Object.entries(partsOf(schema)).map(
    ([key, part]) => [key, loosened(part)] as const,
  );
  const { items, additionalProperties: more } = schema;
  const isPair = schema['maxItems'] === 2;
  return {
    ...Object.fromEntries(own),
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
    ...(isObject(items) && { items: loosened(items) }),
    ...(isObject(more) && { additionalProperties: loosened(more) }),
    ...(schema['minimum'] !== undefined && { minimum: 0 }),
    ...(isPair && { maxItems: 2 }),
    'x-kubernetes-validations': rules,
  };
}
