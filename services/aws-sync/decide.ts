/**
 * What follows from all that is known: looks, changes with their intents, facts and a judgement.
 */
import type { AwsDecision } from '../../core/aws-decision.ts';
import type { Turn } from '../../core/room.ts';
import { forgetAll, forgetInterfaces, tellRegion } from './facts.ts';
import type { Act } from './input.ts';
import { judge } from './judge.ts';
import { dueOf, lookAt } from './look.ts';
import { tellNeighbors } from './neighbors.ts';
import type { Plan, Step } from './plan.ts';
import { planRegion } from './plan-region.ts';
import type { Region } from './region.ts';
import { type Mode, modeOf, regionsOf } from './scope.ts';
import { placeOf, type World } from './world.ts';
import { intendedInterface, intendedPeer } from './words.ts';

/** So many changes are under way at a time; a look waits for them, and they for it. */
const CHANGES = 8;

export function decide(world: World): Turn<Act> {
  if (!world.dirty) return { says: world.says.splice(0), does: [], more: false };
  world.dirty = false;
  if (!world.clocked) return { says: world.says.splice(0), does: wake(world, 0), more: false };
  noteMemory(world);
  const mode = modeOf(world);
  const regions = regionsOf(world, mode).map((name) => world.region(name));
  const plans = new Map<Region, Plan>();
  for (const region of regions)
    if (region.picturedMs > 0) plans.set(region, planRegion(world, mode, region));
  world.tally.wanted = [...plans.values()].reduce((sum, { wanted }) => sum + wanted, 0);
  const does: Act[] = [];
  const nextMs = [judge(world, mode, regions, plans)];
  for (const region of regions) nextMs.push(act(world, mode, region, plans.get(region), does));
  tell(world, mode, regions, plans);
  const next = Math.min(...nextMs, ...[...plans.values()].map((plan) => plan.nextMs));
  does.push(...wake(world, next));
  return { says: world.says.splice(0), does, more: false };
}

/**
 * Where the log was lost, a peer of ours may be too new to be listed. Nothing can be lost of a
 * config that has just been made; its status tells as well, but an API server that is behind shows
 * an older.
 */
function noteMemory(world: World): void {
  if (world.config === undefined || world.knownFromMs !== undefined) return;
  const { createdMs, status } = world.config;
  const isNew = status.aws === '' && world.nowMs < createdMs + world.settings.times.lagMs;
  world.knownFromMs = isNew ? -Infinity : Math.min(world.oldestMs, world.nowMs);
}

function tell(
  world: World,
  mode: Mode,
  regions: readonly Region[],
  plans: ReadonlyMap<Region, Plan>,
): void {
  if (mode.kind === 'none') return forgetAll(world);
  for (const [region, plan] of plans) {
    if (!region.trusted) continue;
    const key = `${world.revision}/${region.revision}`;
    if (region.told !== key) tellRegion(world, mode, region, plan);
    region.told = key;
    tellNeighbors(world, mode, region, plan);
  }
  if (regions.some(({ picturedMs }) => picturedMs > 0)) forgetInterfaces(world, regions);
}

/**
 * Looks, or takes the next steps; never both at once, so that no change follows a look that failed
 * (facts I2). Returns when it is to be looked next.
 */
function act(
  world: World,
  mode: Mode,
  region: Region,
  plan: Plan | undefined,
  does: Act[],
): number {
  if (mode.kind !== 'keep' && mode.kind !== 'clean') return Infinity;
  const due = dueOf(world, region, mode.config, plan);
  const isBusy = [...world.inFlight.values()].includes(region.name);
  if (due.atMs <= world.nowMs) {
    if (!isBusy) does.push(lookAt(world, region, mode.config, due.what));
    return Infinity;
  }
  const isWaiting = mode.kind === 'clean' && mode.waits !== '';
  if (plan === undefined || !region.trusted || region.looking || isWaiting) return due.atMs;
  for (const step of plan.steps) {
    if (world.inFlight.size >= CHANGES) break;
    take(world, step, does);
  }
  return due.atMs;
}

function take(world: World, step: Step, does: Act[]): void {
  const { because, change } = step;
  if (step.kind === 'peer') {
    const place = placeOf(step.change);
    if (world.inFlight.has(place)) return;
    world.inFlight.set(place, step.change.region);
    const event: AwsDecision = { kind: 'PeerIntended', ...step.change, because };
    world.say(event, intendedPeer(event));
    does.push({ kind: 'ApplyPeer', change: step.change, call: step.call });
    return;
  }
  if (world.inFlight.has(step.change.node)) return;
  world.inFlight.set(step.change.node, change.region);
  if (step.change.reverts > 0) world.tally.reverts++;
  const event: AwsDecision = { kind: 'InterfaceIntended', ...step.change, because };
  world.say(event, intendedInterface(event));
  does.push({ kind: 'ApplyInterface', change: step.change });
}

/** One wake at a time: an earlier one makes the later one idle. */
function wake(world: World, atMs: number): Act[] {
  if (atMs === Infinity || atMs >= world.wakeMs) return [];
  world.wakeMs = atMs;
  return [{ kind: 'Wake', atMs }];
}
