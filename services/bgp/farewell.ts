/** How a routing ends: withdrawn, then its network gone, then the finalizer (W-70). */
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import { endsSessions } from '../../core/seen-status.ts';
import { cudnOf } from './claims.ts';
import { type Judged, underWay } from './condition.ts';
import { TYPE, withdrawCudn } from './cudn.ts';
import { ownFrr } from './frr-plan.ts';
import { ROUTE_ADVERTISEMENTS_NAME, standingOf } from './ownership.ts';
import { isWithdrawn } from './route-advertisements.ts';
import type { Scene } from './scene.ts';
import type { Want } from './want.ts';
import type { AwsJudged, World } from './world.ts';

export interface Farewell {
  readonly judged: readonly Judged[];
  readonly want: Want | undefined;
  /** Something of it is left: the finalizer stays. */
  readonly left: boolean;
}

/** One that holds no network has nothing to clean up, and touches nothing (W-02). */
export function farewell(world: World, scene: Scene, routing: BgpRouting): Farewell {
  const name = cudnOf(routing);
  const holder = scene.claims.get(routing.network);
  const { ours } = standingOf(world, 'ClusterUserDefinedNetwork', name);
  if (holder?.name === routing.name && ours !== undefined) {
    const want = withdrawCudn(routing, ours, 'the CUDNBgpRouting is deleted');
    return { judged: [leaving(name, ours.deleting, ours.finalizers)], want, left: true };
  }
  const last = !scene.live && !isWithdrawn(world) && held(world, routing);
  if (!last) return { judged: [], want: undefined, left: false };
  const message = `waits until ${ROUTE_ADVERTISEMENTS_NAME} is gone`;
  return { judged: [underWay(TYPE, 'Deleting', message)], want: undefined, left: true };
}

function leaving(name: string, deleting: boolean, finalizers: readonly string[]): Judged {
  if (!deleting) return underWay(TYPE, 'Withdrawing', `${name} is withdrawn and deleted`);
  const by =
    finalizers.length === 0 ? '' : `: ${finalizers.join(', ')} holds it, as long as pods use it`;
  return underWay(TYPE, 'Deleting', `waits until ${name} is gone${by}`);
}

function held(world: World, { name, uid }: BgpRouting): boolean {
  const decided = world.routingsDecided.get(name);
  return decided?.uid === uid && decided.finalizer;
}

/** What still has to go before the finalizer of a CUDNBgpConfig may. */
export interface Blocked {
  readonly reason: 'RoutingCRsExist' | 'FRRConfigurationsExist' | 'AWSResourcesExist';
  readonly message: string;
}

/**
 * Routings first, then the sessions, then the peers in AWS (W-73, W-74). Once the sessions go, a
 * routing that comes only then does not bring them back.
 */
export function blockedBy(
  world: World,
  config: BgpConfig,
  judged: AwsJudged | undefined,
): Blocked | undefined {
  const { aws, generation } = config;
  const routings = [...world.routings.keys()].toSorted();
  if (routings.length > 0 && !isGoing(world, config)) {
    const message = `${routings.length} CUDNBgpRouting left: ${routings.join(', ')}`;
    return { reason: 'RoutingCRsExist', message };
  }
  const left = ownFrr(world).map(({ name }) => name);
  if (left.length > 0) {
    const message = `waits until ${left.join(', ')} is gone`;
    return { reason: 'FRRConfigurationsExist', message };
  }
  // What was released under an earlier spec may be held again.
  const current = judged?.generation === generation || aws === undefined;
  const released = judged === undefined ? aws === undefined : current && judged.released;
  if (released) return undefined;
  return { reason: 'AWSResourcesExist', message: 'waits until nothing of it is left in AWS' };
}

/** Where the log was lost its status tells. */
function isGoing(world: World, { name, uid, status }: BgpConfig): boolean {
  const decided = world.configsDecided.get(name);
  const conditions = decided?.uid === uid ? decided.conditions : status.conditions;
  return endsSessions(conditions);
}
