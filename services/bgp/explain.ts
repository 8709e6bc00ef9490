/** How BGP routing stands, for `sluice status` and `sluice why`: zones, sessions, routings. */
import type { Condition, Phase } from '../../core/bgp-decision.ts';
import { cudnOf } from './claims.ts';
import { type Peers, peersOf } from './explain-peers.ts';
import type { BgpPicture } from './explain-picture.ts';
import { ownFrr } from './frr-plan.ts';
import { type Group, groupsOf } from './group.ts';
import { readyNodes } from './readiness.ts';
import { type Line, sessionsOf } from './sessions.ts';
import type { World } from './world.ts';
import { namesOf } from './zone-name.ts';

export interface Standing {
  /** '' = nothing was decided yet. */
  readonly phase: Phase | '';
  readonly conditions: readonly Condition[];
  /** Since when the phase is what it is; 0 = not known. */
  readonly sinceMs: number;
}

export interface ZoneView {
  readonly zone: string;
  readonly frrConfiguration: string;
  readonly nodes: readonly string[];
  readonly sessions: readonly Line[];
}

export interface RoutingView extends Standing {
  readonly name: string;
  readonly network: string;
  readonly cudn: string;
  readonly subnets: readonly string[];
  readonly namespaces: readonly string[];
  /** Who holds the network; '' = nobody yet. */
  readonly holder: string;
  readonly deleting: boolean;
}

export interface ConfigView extends Standing {
  readonly localASN: number;
  readonly livenessDetection: string;
  readonly deleting: boolean;
  readonly zones: readonly ZoneView[];
  /** BGPSessionState is served: somebody tells how sessions are. */
  readonly sessionsTold: boolean;
  /** The other side's view of each session, on AWS. */
  readonly peers: Peers | undefined;
}

/** Undefined where there is no CUDNBgpConfig. */
export function configView(picture: BgpPicture): ConfigView | undefined {
  const { world } = picture;
  const config = world.configs.get('cluster');
  if (config === undefined) return undefined;
  const { localASN, livenessDetection, deleting } = config;
  const zones = zonesOf(world, groupsOf(world, config) ?? []);
  const sessionsTold = world.isServed('bgpsessionstates');
  const standing = standingOn(picture, 'cudnbgpconfig', 'cluster');
  const peers = config.aws === undefined ? undefined : peersOf(picture);
  return { ...standing, localASN, livenessDetection, deleting, zones, sessionsTold, peers };
}

function zonesOf(world: World, groups: readonly Group[]): readonly ZoneView[] {
  const names = namesOf(groups, ownFrr(world));
  const sessions = sessionsOf(world, groups, readyNodes(world));
  const zones = groups.map((group, index) => ({
    zone: group.title,
    frrConfiguration: names.get(group) ?? '',
    nodes: sessions[index]?.nodes ?? [],
    sessions: sessions[index]?.lines ?? [],
  }));
  return zones.toSorted((a, b) => (a.zone < b.zone ? -1 : 1));
}

/** By name. */
export function routingViews(picture: BgpPicture): readonly RoutingView[] {
  const { world } = picture;
  const holders = new Map(
    [...world.routingsDecided.values()]
      .filter(({ holds }) => holds)
      .map((one) => [one.network, one.name]),
  );
  const namespaces = Map.groupBy(
    [...world.namespaces.values()].filter((one) => one.primary && !one.deleting),
    ({ network }) => network,
  );
  return [...world.routings.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, network, subnets, deleting }) => ({
      ...{ name, network, subnets, deleting, cudn: cudnOf({ network }) },
      namespaces: (namespaces.get(network) ?? []).map((one) => one.name).toSorted(),
      holder: holders.get(network) ?? '',
      ...standingOn(picture, 'cudnbgprouting', name),
    }));
}

/** As it was published; where it was not yet, as it was decided. */
function standingOn(
  picture: BgpPicture,
  kind: 'cudnbgpconfig' | 'cudnbgprouting',
  name: string,
): Standing {
  const { configsDecided, routingsDecided } = picture.world;
  const decided = (kind === 'cudnbgpconfig' ? configsDecided : routingsDecided).get(name);
  const published = picture.latest('publisher', kind, name)?.event;
  const { phase = '', conditions = [], sinceMs = 0 } = decided ?? {};
  if (published?.kind !== 'ResourcePublished' || published.phase === '')
    return { phase, conditions, sinceMs };
  if (published.uid !== decided?.uid) return { phase, conditions, sinceMs };
  return { phase: published.phase, conditions: published.conditions, sinceMs };
}
