/** How a clean-up stands: what is left, and what is in its way. */
import { ORPHAN_AWS } from '../../core/annotation.ts';
import type { Condition } from '../../core/bgp-decision.ts';
import { count, list } from '../../core/say.ts';
import { failureWords, troubleOf } from './discovered.ts';
import type { Plan } from './plan.ts';
import type { Region } from './region.ts';
import { holdings } from './scope.ts';
import type { World } from './world.ts';

export interface Cleanup {
  readonly condition: Condition;
  readonly blocked: boolean;
  /** Nothing of ours is there any more, a complete listing shows. */
  readonly over: boolean;
}

const TYPE = 'CleanupBlocked';

export function cleanupOf(
  world: World,
  waits: string,
  regions: readonly Region[],
  plans: ReadonlyMap<Region, Plan>,
): Cleanup {
  const left = heldIn(world, plans);
  const trouble = regions.map((region) => troubleOf(world, region).failure).find((one) => one);
  const items = [...plans.values()].flatMap((plan) => plan.items);
  const failed = items.filter(({ state }) => state === 'failed');
  const isKnown = regions.every((region) => region.trusted && plans.has(region));
  const isQuiet = world.inFlight.size === 0 && items.length === 0;
  const over = waits === '' && isKnown && isQuiet && left.length === 0;
  if (trouble !== undefined) {
    const { reason, message } = failureWords(trouble);
    return { condition: blocked(reason, message, left), blocked: true, over: false };
  }
  const [first] = failed;
  if (first !== undefined) {
    const reason = first.reason === '' ? 'AWSReconcileFailed' : first.reason;
    const message = `${first.what}: ${first.because}`;
    return { condition: blocked(reason, message, left), blocked: true, over: false };
  }
  const what = waits === '' ? `${count(left.length, 'peer')} to go` : `waits for ${waits}`;
  const message = over ? 'nothing is left in AWS' : what;
  const reason = over ? 'Cleaned' : 'Cleaning';
  const condition: Condition = { type: TYPE, status: 'False', reason, message };
  return { condition, blocked: false, over };
}

/** The peers that are left, by id where one is known. */
export function heldIn(world: World, plans: ReadonlyMap<Region, Plan>): readonly string[] {
  const seen = [...plans].flatMap(([, plan]) => plan.held);
  const pictured = new Set([...plans.keys()].map(({ name }) => name));
  const told = holdings(world)
    .filter(({ region, id }) => !pictured.has(region) || id === '')
    .map(({ id, endpoint, address }) =>
      id === '' ? `${address} at ${endpoint}` : `${id} (${address})`,
    );
  return [...new Set([...seen, ...told])].toSorted();
}

function blocked(reason: string, message: string, left: readonly string[]): Condition {
  const ids = left.length === 0 ? 'what is left is not known' : `left: ${list(left, 40)}`;
  const way = `the annotation ${ORPHAN_AWS}: "true" leaves it there`;
  return { type: TYPE, status: 'True', reason, message: `${message}; ${ids}; ${way}` };
}
