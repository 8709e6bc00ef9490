/**
 * The name of each zone's FRRConfiguration: of the zone, never of its place in a list (W-07). An
 * object that a zone has already keeps its name.
 */
import { ZONE } from '../../core/annotation.ts';
import { canonicalJson } from '../../core/canonical.ts';
import { listOf, parseJson, property } from '../../core/json.ts';
import { nodeSelectorOf } from './frr-spec.ts';
import type { Group } from './group.ts';
import { hashOf } from './hash.ts';
import { FRR_PREFIX } from './ownership.ts';

/** With prefix and two hashes the name stays within 63 characters, as a label's value must. */
const MOST = 35;

const positional = /^cudn-bgp-az-\d+$/;

/** An object that is there, or that was decided to be. */
export interface Named {
  readonly name: string;
  /** Canonical JSON. */
  readonly spec: string;
}

/** Made by the original operator, which numbered its zones. */
export const isPositional = (name: string): boolean => positional.test(name);

/** `cudn-bgp-us-east-1a`; with a hash where the zone alone would not say it, or not legally. */
export function canonicalName({ zone, identity }: Group): string {
  const slug = zone
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MOST)
    .replaceAll(/^-+|-+$/g, '');
  const plain = slug !== '' && slug === zone && !positional.test(`${FRR_PREFIX}${slug}`);
  const hash = plain && identity === '' ? '' : hashOf(`${zone}\n${identity}`);
  return `${FRR_PREFIX}${[slug, hash].filter((part) => part !== '').join('-')}`;
}

/** For each group the name of its object; `ours` are the objects that there are, by name. */
export function namesOf(
  groups: readonly Group[],
  ours: readonly Named[],
): ReadonlyMap<Group, string> {
  const names = new Map<Group, string>();
  const free = new Map(ours.map((object) => [object.name, object]));
  for (const fits of [sameNodes, sameName, sameZone, sameNeighbors])
    for (const group of groups) {
      if (names.has(group)) continue;
      const found = [...free.values()].find((object) => fits(group, object));
      if (found === undefined) continue;
      names.set(group, found.name);
      free.delete(found.name);
    }
  const taken = new Set(ours.map(({ name }) => name));
  for (const group of groups) {
    if (names.has(group)) continue;
    const name = canonicalName(group);
    // It is still another zone's, or goes on its own way: this one needs a name of its own.
    names.set(group, taken.has(name) ? `${name}-${hashOf(canonicalJson(group))}` : name);
  }
  return names;
}

type Fits = (group: Group, object: Named) => boolean;

const sameNodes: Fits = (group, { spec }) =>
  selectorText(property(parseJson(spec), 'nodeSelector')) === selectorText(nodeSelectorOf(group));

/** What is empty may be left out. */
const selectorText = (selector: unknown): string =>
  canonicalJson([
    property(selector, 'matchLabels') ?? {},
    property(selector, 'matchExpressions') ?? [],
  ]);

const sameName: Fits = (group, { name }) => name === canonicalName(group);

/** Only a numbered object may be found by its zone: all others tell theirs by their name. */
const sameZone: Fits = (group, { name, spec }) => {
  if (!isPositional(name)) return false;
  const labels = property(property(parseJson(spec), 'nodeSelector'), 'matchLabels');
  return group.zone !== '' && property(labels, ZONE) === group.zone;
};

const sameNeighbors: Fits = (group, { name, spec }) => {
  if (!isPositional(name)) return false;
  const [router] = listOf(property(property(parseJson(spec), 'bgp'), 'routers'));
  const addresses = listOf(property(router, 'neighbors')).map((one) =>
    String(property(one, 'address')),
  );
  const wanted = group.neighbors.map(({ address }) => address);
  return canonicalJson(addresses.toSorted()) === canonicalJson(wanted.toSorted());
};
