/** Looks at the routings together: claims, overlaps, namespaces. */
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import { listOf, parseJson, property } from '../../core/json.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { bySeniority, claimsOf, cudnOf, isMade } from './claims.ts';
import { Subnets } from './overlap.ts';
import { standingOf } from './ownership.ts';
import type { Scene } from './scene.ts';
import { keyOf, type World } from './world.ts';
import { wrongRouting } from './wrong-spec.ts';

export function sceneOf(world: World, config: BgpConfig | undefined): Scene {
  const routings = [...world.routings.values()].toSorted(bySeniority);
  const claims = claimsOf(world);
  return {
    causes: world.takeCauses(),
    config,
    open: false,
    claims,
    overlaps: overlapsOf(world, [...claims.values()]),
    namespaces: namespacesOf(world),
    live: routings.some(({ deleting }) => !deleting),
    queue: routings.toReversed(),
    labelled: new Set(),
    claimed: new Set([...claims.values()].map(keyOfCudn)),
    needed: false,
  };
}

const object = 'ClusterUserDefinedNetwork';

const keyOfCudn = (routing: BgpRouting): string => keyOf(object, cudnOf(routing));

/** Who has its network already keeps its subnets; then the older one does. */
function overlapsOf(world: World, holders: readonly BgpRouting[]): ReadonlyMap<string, string> {
  const runs = (routing: BgpRouting): number => Number(isMade(world, routing));
  const real = holders.map((routing) => asRunning(world, routing));
  const legal = real.filter((routing) => wrongRouting(routing) === undefined);
  const sorted = legal.toSorted((a, b) => runs(b) - runs(a) || bySeniority(a, b));
  const subnets = new Subnets();
  const overlaps = new Map<string, string>();
  for (const routing of sorted) {
    const other = subnets.take(routing);
    if (other !== undefined) overlaps.set(routing.name, other);
  }
  return overlaps;
}

/** What runs counts with the subnets that it runs with, whatever the spec says by now. */
function asRunning(world: World, routing: BgpRouting): BgpRouting {
  const seen = standingOf(world, object, cudnOf(routing)).ours;
  const subnets = seen === undefined ? [] : subnetsOf(seen);
  const isSame = subnets.length === 0 || subnets.join() === routing.subnets.join();
  return isSame ? routing : { ...routing, subnets };
}

/** An object that was seen is a value: what was read of it stays so. */
const known = new WeakMap<ManagedObject, readonly string[]>();

function subnetsOf(seen: ManagedObject): readonly string[] {
  const found = known.get(seen);
  if (found !== undefined) return found;
  const layer2 = property(property(parseJson(seen.spec), 'network'), 'layer2');
  const subnets = listOf(property(layer2, 'subnets')).map(String);
  known.set(seen, subnets);
  return subnets;
}

/** Those that can have pods in the network: the label must have been there from the beginning. */
function namespacesOf(world: World): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const all = [...world.namespaces.values()].filter((one) => one.primary && !one.deleting);
  for (const { name, network } of all.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    names.set(network, [...(names.get(network) ?? []), name]);
  return names;
}
