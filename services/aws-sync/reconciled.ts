/** The conditions of what is kept in AWS: peers and interfaces, nodes, zones. */
import type { Condition } from '../../core/bgp-decision.ts';
import { count, list } from '../../core/say.ts';
import type { Item, Plan, Reason } from './plan.ts';
import type { Standing } from './standing.ts';
import type { World } from './world.ts';

/** What is longer on its way than that is not on its way any more. */
const STUCK_MS = 600_000;

/** The worst first. */
const reasons: readonly Reason[] = [
  'Unauthorized',
  'PeerQuotaExceeded',
  'PeerConflict',
  'ForeignWriter',
  'AWSReconcileFailed',
];

const RECONCILED = 'AWSResourcesReconciled';

/** `was` = it was True before: what is merely on its way does not make it False again. */
export function reconciled(world: World, items: readonly Item[], was: boolean): Condition {
  const of = (state: Item['state']): readonly Item[] =>
    items.filter((item) => item.state === state);
  const failed = of('failed');
  const pending = of('pending');
  const counts = [
    `${of('ok').length} ok`,
    ...(pending.length > 0 ? [`${pending.length} pending`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ].join(', ');
  notePending(world, pending.length > 0);
  if (failed.length > 0) {
    const reason = reasons.find((one) => failed.some((item) => item.reason === one));
    const message = `${counts}: ${which(failed)}`;
    return { type: RECONCILED, status: 'False', reason: reason ?? 'AWSReconcileFailed', message };
  }
  if (pending.length === 0)
    return { type: RECONCILED, status: 'True', reason: 'Reconciled', message: counts };
  const isStuck = world.nowMs - world.pendingSinceMs >= STUCK_MS;
  if (was && !isStuck)
    return { type: RECONCILED, status: 'True', reason: 'Reconciled', message: counts };
  const message = `${counts}: ${which(pending)}`;
  return { type: RECONCILED, status: 'False', reason: 'Reconciling', message };
}

/** When something on its way becomes something stuck. */
export const stuckMs = ({ pendingSinceMs }: World): number =>
  pendingSinceMs === 0 ? Infinity : pendingSinceMs + STUCK_MS;

function notePending(world: World, isPending: boolean): void {
  if (!isPending) world.pendingSinceMs = 0;
  else if (world.pendingSinceMs === 0) world.pendingSinceMs = world.nowMs;
}

const which = (items: readonly Item[]): string =>
  list(
    items.map(({ what, because }) => `${what}: ${because}`),
    5,
  );

const condition = (type: string, isTrue: boolean, reason: string, message: string): Condition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

/** Nodes that cannot be judged, and whose instance is terminated; the others are served. */
export function inventory({ routers }: Plan): Condition {
  const type = 'NodeInventoryComplete';
  if (routers.length === 0)
    return condition(type, false, 'NoRouterNode', 'no node has the labels of routerNodeSelector');
  const bad = routers.filter(({ state }) => state === 'frozen' || state === 'gone');
  if (bad.length === 0)
    return condition(type, true, 'Complete', count(routers.length, 'router node'));
  const words = bad.map(({ node, state, because }) =>
    state === 'gone' ? `${node.name}: its instance is terminated` : `${node.name} ${because}`,
  );
  return condition(type, false, 'NodesIncomplete', list(words, 10));
}

/** Router nodes that no endpoint is next to. */
export function coverage({ uncovered }: Plan): Condition {
  const type = 'ZonesCovered';
  if (uncovered.length === 0)
    return condition(type, true, 'Covered', 'every router node has an endpoint in its subnet');
  return condition(type, false, 'ZonesUncovered', list(uncovered.map(uncoveredWords), 10));
}

const uncoveredWords = ({ node, zone, subnet }: Standing): string =>
  `${node.name} in ${zone || 'no zone'} has no endpoint in ${subnet || 'its zone'}`;
