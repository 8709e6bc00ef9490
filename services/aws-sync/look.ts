/** When a region is looked at, and at how much of it. */
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { Look } from './input.ts';
import type { Plan } from './plan.ts';
import type { Region } from './region.ts';
import { instancesWanted } from './routers.ts';
import type { World } from './world.ts';

/** New nodes come in crowds: one look for all of them. */
const CROWD_MS = 2_000;
/** A cloud that does not answer is asked at least so often. */
const LONGEST_MS = 60_000;

/** Troubles that time alone does not heal. */
const slow: ReadonlySet<string> = new Set([
  ...['identity', 'environment', 'permission', 'configuration', 'refused'],
]);

interface Due {
  readonly atMs: number;
  readonly what: Look['what'];
}

/** Infinity: one is under way. */
export function dueOf(
  world: World,
  region: Region,
  config: BgpConfig,
  plan: Plan | undefined,
): Due {
  const { times } = world.settings;
  const { lookedMs, failure, failures, picturedMs } = region;
  if (region.looking) return { atMs: Infinity, what: 'all' };
  if (lookedMs === 0 || region.generation !== config.generation) return { atMs: 0, what: 'all' };
  if (failure !== undefined || picturedMs === 0) {
    const backoffMs = Math.min(times.pendingMs * 2 ** Math.max(0, failures - 1), LONGEST_MS);
    const isSlow = failure !== undefined && slow.has(failure.trouble);
    return { atMs: lookedMs + (isSlow ? times.retryMs : backoffMs), what: 'all' };
  }
  const fullMs = picturedMs + times.refreshMs;
  const isNew = instancesWanted(world, config).some((id) => !region.asked.has(id));
  const allMs = isNew ? Math.min(fullMs, lookedMs + CROWD_MS) : fullMs;
  const pendingMs = plan?.pending === true ? lookedMs + times.pendingMs : Infinity;
  if (allMs <= pendingMs) return { atMs: allMs, what: 'all' };
  return { atMs: pendingMs, what: isUnready(region) ? 'all' : 'peers' };
}

/** Something besides peers is on its way. */
function isUnready({ endpoints, instances }: Region): boolean {
  return [...endpoints.values(), ...instances.values()].some(({ state }) => state === 'pending');
}

export function lookAt(world: World, region: Region, config: BgpConfig, what: Look['what']): Look {
  region.looking = true;
  region.generation = config.generation;
  const identify = !region.identified;
  const instances = what === 'all' ? instancesWanted(world, config) : [];
  return { kind: 'Look', region: region.name, what, identify, instances };
}
