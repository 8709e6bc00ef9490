/** What is to be there at all: kept, cleaned up, left alone, or nothing. */
import { ORPHAN_AWS } from '../../core/annotation.ts';
import type { AwsScope, BgpConfig } from '../../core/bgp-fact.ts';
import { endsSessions } from '../../core/seen-status.ts';
import type { Region } from './region.ts';
import type { World } from './world.ts';

export type Mode =
  /** Nothing may be done yet: not all of the cluster was heard. */
  | { readonly kind: 'unknown'; readonly because: string }
  /** There is no config, and nothing was ever made: no call, no credentials needed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'keep'; readonly config: BgpConfig; readonly scope: AwsScope }
  /** All of ours is to go; `waits` = for what, '' = for nothing. */
  | { readonly kind: 'clean'; readonly config: BgpConfig; readonly waits: string }
  /** The user asked for it: what is there stays, and is forgotten. */
  | { readonly kind: 'orphan'; readonly config: BgpConfig };

export function modeOf(world: World): Mode {
  const { config } = world;
  if (config === undefined) return { kind: 'none' };
  if (config.deleting) return deletionOf(world, config);
  if (config.aws === undefined)
    return holdings(world).length > 0 ? { kind: 'clean', config, waits: '' } : { kind: 'none' };
  const because = missingOf(world, ['cudnbgpconfigs']);
  if (because !== '') return { kind: 'unknown', because };
  return { kind: 'keep', config, scope: config.aws };
}

function missingOf(world: World, plurals: readonly string[]): string {
  if (!world.nodesKnown) return 'the nodes of the cluster';
  if (world.infrastructureName === '') return 'status.infrastructureName of Infrastructure/cluster';
  const plural = plurals.find((one) => !world.kindsKnown.has(one));
  return plural === undefined ? '' : `the list of ${plural}`;
}

/**
 * While routings are there, all goes on, but bgp decides when that ends. FRRConfigurations go
 * first, so that sessions end in good order; one that does not go holds up nothing for ever
 * (`docs/aws.md`).
 */
function deletionOf(world: World, config: BgpConfig): Mode {
  const had = config.aws !== undefined || holdings(world).length > 0;
  if (!had) return { kind: 'none' };
  const because = missingOf(world, ['cudnbgproutings', 'frrconfigurations']);
  if (config.annotations[ORPHAN_AWS] === 'true') return { kind: 'orphan', config };
  if (because !== '') return { kind: 'unknown', because };
  if (world.routings.size > 0 && !endsSessions(config.status.conditions))
    return config.aws === undefined
      ? { kind: 'clean', config, waits: '' }
      : { kind: 'keep', config, scope: config.aws };
  const count = world.frrConfigurations.size;
  if (count === 0) return { kind: 'clean', config, waits: '' };
  if (world.withdrawingSinceMs === 0) world.withdrawingSinceMs = world.nowMs;
  const isLate = world.nowMs - world.withdrawingSinceMs >= world.settings.times.withdrawMs;
  return { kind: 'clean', config, waits: isLate ? '' : 'the FRRConfigurations to go' };
}

/** A peer of ours that the log knows of. */
export interface Holding {
  readonly region: string;
  readonly server: string;
  readonly endpoint: string;
  readonly id: string;
  readonly address: string;
}

/**
 * The recorded inventory: peers that were seen last, and creates of which nobody knows what came.
 * It outlives the spec that asked for them (`spec/bgp-operator.md` W-48).
 */
export function holdings(world: World): readonly Holding[] {
  const all: Holding[] = [];
  const places = new Set<string>();
  for (const { event } of world.told.values()) {
    if (event.kind !== 'PeersSeen') continue;
    const { region, server, endpoint, peers } = event;
    for (const { id, address, ours } of peers) {
      if (ours) all.push({ region, server, endpoint, id, address });
      places.add(`${endpoint}:${address}`);
    }
  }
  for (const [place, { change, result, atMs }] of world.peerChanges) {
    const { region, server, endpoint, id, address } = change;
    if (change.change !== 'create' || places.has(place)) continue;
    const listedMs = world.regions.get(region)?.listedMs ?? 0;
    const isOpen = result === 'open' || result === 'unknown' || result === 'done';
    if (isOpen && listedMs < atMs + world.settings.times.lagMs)
      all.push({ region, server, endpoint, id, address });
  }
  return all.sort((a, b) => compare(a.endpoint, b.endpoint) || compare(a.address, b.address));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The regions to be looked at, in order: that of the spec, and those that still hold something. */
export function regionsOf(world: World, mode: Mode): readonly string[] {
  if (mode.kind !== 'keep' && mode.kind !== 'clean') return [];
  const held = holdings(world).map(({ region }) => region);
  const own = mode.config.aws?.region ?? '';
  const changed = [...world.interfaceChanges.values()].filter(
    ({ change, result }) => mode.kind === 'clean' && change.sourceDestCheck === 'off' && result,
  );
  const restored = mode.config.aws?.restoreSourceDestCheck === true ? changed : [];
  const all = [own, ...held, ...restored.map(({ change }) => change.region)];
  return [...new Set(all)].filter((name) => name !== '').sort();
}

/** The configured Route Servers that are not there. */
export const missingServers = (scope: AwsScope, region: Region): readonly string[] =>
  scope.routeServerIDs.filter((id) => !region.servers.has(id)).toSorted();

/** Whether a Route Server is one of those that are wanted. */
export const isConfigured = (mode: Mode, region: string, server: string): boolean =>
  mode.kind === 'keep' &&
  mode.scope.region === region &&
  mode.scope.routeServerIDs.includes(server);
