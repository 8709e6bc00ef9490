/** Not too much is removed at once, whatever the reason seems to be. */
import type { World } from './world.ts';

const MINUTE_MS = 60_000;

/**
 * At most a third of a Route Server's managed peers, and at least one, in any minute
 * (`docs/aws.md`, "Nodes"). `managed` = how many there are now, without those that are on their way
 * out; `planned` = how many the plan removes already.
 */
export function mayRemove(world: World, server: string, managed: number, planned: number): boolean {
  const recent = recentRemovals(world, server).length;
  return recent + planned < Math.max(1, Math.floor((managed + recent) / 3));
}

/** When it is worth another look; Infinity = nothing was removed. */
export const nextRemovalMs = (world: World, server: string): number =>
  (recentRemovals(world, server)[0] ?? Infinity) + MINUTE_MS;

function recentRemovals(world: World, server: string): readonly number[] {
  const all = world.removals.get(server);
  if (all === undefined) return [];
  while (all.length > 0 && (all[0] ?? 0) <= world.nowMs - MINUTE_MS) all.shift();
  return all;
}
