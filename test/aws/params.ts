/**
 * The parameters of a call: flat names such as `Filter.1.Value.2`, as EC2's Query protocol has
 * them.
 */
import { missing, Refusal } from './refusal.ts';
import type { Tags } from './model.ts';

export type Params = ReadonlyMap<string, string>;

export function paramsOf(form: string): Map<string, string> {
  return new Map(new URLSearchParams(form));
}

export const text = (params: Params, name: string): string => params.get(name) ?? '';

/** A parameter that must be there; MissingParameter otherwise. */
export function needed(params: Params, name: string): string {
  const value = text(params, name);
  if (value === '') throw missing(name);
  return value;
}

/** The numbers that stand after a name, in order: `Tag.1.Key`, `Tag.2.Key` gives 1 and 2. */
function indexes(params: Params, name: string): number[] {
  const found = [...params.keys()].flatMap((key) => {
    if (!key.startsWith(`${name}.`)) return [];
    const index = Number(key.slice(name.length + 1).split('.')[0]);
    return Number.isInteger(index) && index > 0 ? [index] : [];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** `RouteServerId.1`, `RouteServerId.2`, …: empty where there is none. */
export const list = (params: Params, name: string): string[] =>
  indexes(params, name).map((index) => text(params, `${name}.${index}`));

export interface FilterParam {
  readonly name: string;
  readonly values: readonly string[];
}

export const filters = (params: Params): FilterParam[] =>
  indexes(params, 'Filter').map((index) => ({
    name: text(params, `Filter.${index}.Name`),
    values: list(params, `Filter.${index}.Value`),
  }));

/** Key and value pairs below a name; a pair without a value has ''. Reserved keys are refused. */
export function tags(params: Params, name: string): Tags {
  const pairs = indexes(params, name).map((index): [string, string] => [
    needed(params, `${name}.${index}.Key`),
    text(params, `${name}.${index}.Value`),
  ]);
  if (pairs.some(([key]) => key.startsWith('aws:')))
    throw new Refusal(
      'InvalidParameterValue',
      "Tag keys starting with 'aws:' are reserved for internal use",
    );
  return Object.fromEntries(pairs);
}

/** Keys below a name, with the value where one is given: what DeleteTags takes. */
export const tagsToDelete = (params: Params, name: string): [string, string | undefined][] =>
  indexes(params, name).map((index) => [
    needed(params, `${name}.${index}.Key`),
    params.get(`${name}.${index}.Value`),
  ]);

/** The tags of `TagSpecification.N` for one kind of resource; another kind is refused. */
export function tagSpecification(params: Params, kind: string): Tags {
  const all = indexes(params, 'TagSpecification').map((index) => {
    const asked = text(params, `TagSpecification.${index}.ResourceType`);
    if (asked !== kind)
      throw new Refusal('InvalidParameterValue', `'${asked}' is not a valid taggable resource`);
    return tags(params, `TagSpecification.${index}.Tag`);
  });
  return Object.assign({}, ...all) as Tags;
}
