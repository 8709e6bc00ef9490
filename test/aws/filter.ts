/** Filters of Describe calls: names that EC2 knows, values with `*` and `?`. */
import type { Tags } from './model.ts';
import { type FilterParam, filters, type Params } from './params.ts';
import { Refusal } from './refusal.ts';

/** The values of a thing under the filter names that its call accepts. */
export type Facets = Readonly<Record<string, readonly string[]>>;

/** All values of all filters of one call together (facts 1.4: batches by filter stay below). */
const MOST_VALUES = 200;

/**
 * The items that all filters let through. Unknown names are InvalidParameterValue unless they are
 * to be ignored: real EC2 rejects `route-server-id` and `subnet-id` on endpoints and peers (facts
 * 1.3).
 */
export function filtered<T extends { readonly tags: Tags }>(
  items: readonly T[],
  params: Params,
  unknown: 'reject' | 'ignore',
  facetsOf: (item: T) => Facets,
  names: readonly string[],
): T[] {
  const asked = filters(params);
  checkCount(asked);
  const known = ({ name }: FilterParam): boolean =>
    name === 'tag-key' || name.startsWith('tag:') || names.includes(name);
  const bad = asked.find((filter) => !known(filter));
  if (bad !== undefined && unknown === 'reject')
    throw new Refusal('InvalidParameterValue', `The filter '${bad.name}' is invalid`);
  const tests = asked.filter(known).map((filter) => testOf(filter, facetsOf));
  return items.filter((item) => tests.every((test) => test(item)));
}

function checkCount(asked: readonly FilterParam[]): void {
  if (asked.reduce((sum, { values }) => sum + values.length, 0) <= MOST_VALUES) return;
  throw new Refusal(
    'FilterLimitExceeded',
    `The maximum number of filter values specified on a single call is ${MOST_VALUES}`,
  );
}

function testOf<T extends { readonly tags: Tags }>(
  { name, values }: FilterParam,
  facetsOf: (item: T) => Facets,
): (item: T) => boolean {
  const patterns = values.map(patternOf);
  const valuesOf = (item: T): readonly string[] => {
    if (name === 'tag-key') return Object.keys(item.tags);
    if (!name.startsWith('tag:')) return facetsOf(item)[name] ?? [];
    const value = item.tags[name.slice(4)];
    return value === undefined ? [] : [value];
  };
  return (item) => valuesOf(item).some((value) => patterns.some((fits) => fits.test(value)));
}

function patternOf(value: string): RegExp {
  const literal = value.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}
