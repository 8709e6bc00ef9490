/** What the cluster has, and what Sluice would make of it: shadow mode and `sluice diff`. */
import type { Item } from '../../core/fact.ts';
import { stepOf } from './claim-step.ts';
import type { Claim } from './claims.ts';
import { itemsOf } from './items.ts';
import type { Thing } from './object.ts';
import { routingDifferences } from './routing-difference.ts';
import { canonical, type World } from './world.ts';

export interface Difference {
  /** `egressip`, `cloudprivateipconfig`, `frrconfiguration`, `cudnbgprouting`, …. */
  readonly kind: string;
  readonly name: string;
  /** The address, or `mark`; of BGP routing a path in the object, or `object` for all of it. */
  readonly what: string;
  /** The node, or the mark, in the cluster; '' = none. */
  readonly cluster: string;
  /** The same as Sluice would write it; '' = none. */
  readonly sluice: string;
}

/** What differs on one EgressIP; empty where nothing was decided on it as it is now. */
export function differencesOf(world: World, thing: Thing): readonly Difference[] {
  const wanted = thing.current;
  if (wanted === undefined) return [];
  const items = itemsOf(world, thing, wanted);
  const { kind, name } = thing;
  if (kind === 'node') return [];
  const all = [...thing.items, ...items].map(({ egressIP }) => canonical(egressIP));
  const found = [...new Set(all)].map((what): Difference => {
    return { kind, name, what, cluster: nodesOf(thing.items, what), sluice: nodesOf(items, what) };
  });
  if (!thing.marked && wanted.mark !== 0)
    found.push({ kind, name, what: 'mark', cluster: '', sluice: String(wanted.mark) });
  return found.filter(({ cluster, sluice }) => cluster !== sluice);
}

/** All nodes where a list has the address: there should be one at most. */
const nodesOf = (items: readonly Item[], address: string): string =>
  items
    .filter(({ egressIP }) => canonical(egressIP) === address)
    .map(({ node }) => node)
    .sort()
    .join(', ');

/** What would be done about a claim; an owner that changes alone shows as `node (owner)`. */
export function claimDifferences(world: World, claim: Claim): readonly Difference[] {
  const step = stepOf(world, claim);
  if (step === undefined) return [];
  const { name, address: what, seen } = claim;
  const cluster = seen === undefined ? '' : `${seen.node} (${seen.owner})`;
  const sluice = step.verb === 'delete' ? '' : `${step.node} (${step.owner})`;
  return [{ kind: 'cloudprivateipconfig', name, what, cluster, sluice }];
}

/** Everything that differs now, by object. */
export function allDifferences(world: World): readonly Difference[] {
  const things = [...world.egressIPs.values()].sort(byName);
  const claims = [...world.claims.all()].sort(byName);
  return [
    ...things.flatMap((thing) => differencesOf(world, thing)),
    ...claims.flatMap((claim) => claimDifferences(world, claim)),
    ...routingDifferences(world.routing),
  ];
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
