/** What turns by itself in time: pending peers become available, tombstones leave the lists. */
import type { Thing } from './model.ts';
import type { Plan, Region, World } from './state.ts';
import { shelfOf } from './world.ts';

/** Lets everything happen that is due by `nowMs`, each at its own time and in order. */
export function settle(world: World, nowMs: number): void {
  for (const region of world.regions.values()) settleRegion(world, region, nowMs);
}

function settleRegion(world: World, region: Region, nowMs: number): void {
  for (;;) {
    const next = region.plans[0];
    if (next === undefined || next.dueMs > nowMs) return;
    region.plans.shift();
    turn(world, region, next);
  }
}

/** Plans stand in the order of their time; those due together in the order in which they came. */
export function plan(region: Region, next: Plan): void {
  if (next.dueMs === Infinity) return;
  const after = region.plans.findLastIndex(({ dueMs }) => dueMs <= next.dueMs);
  region.plans.splice(after + 1, 0, next);
}

function turn(world: World, region: Region, { dueMs, id, from, to, ...with_ }: Plan): void {
  const shelf = shelfOf(region, id);
  const thing = shelf.get(id);
  if (thing === undefined || (from !== '' && thing.state !== from)) return;
  if (to === '') return shelf.remove(id, dueMs);
  const { failureReason } = with_;
  const turned = {
    ...thing,
    ...(to === undefined ? {} : { state: to }),
    ...(failureReason === undefined ? {} : { failureReason }),
    tags: { ...with_.tags, ...thing.tags },
  } as Thing;
  shelf.put(turned, dueMs);
  follow(world, region, turned, dueMs);
}

/** Plans what comes after the state that a thing is now in. */
export function follow(world: World, region: Region, thing: Thing, nowMs: number): void {
  const { manners } = world;
  const { id, state: from } = thing;
  const later = (ms: number, to: string, failureReason?: string): void => {
    const why = failureReason === undefined ? {} : { failureReason };
    plan(region, { dueMs: nowMs + ms, id, from, to, ...why });
  };
  if (id.startsWith('rsp-') && from === 'pending') {
    const reason = region.doomed.get((thing as { address?: string }).address ?? '');
    if (reason === undefined) later(manners.pendingMs, 'available');
    else later(manners.pendingMs, 'failed', reason);
  }
  if (id.startsWith('rse-') && from === 'pending') later(manners.pendingMs, 'available');
  if (id.startsWith('i-') && from === 'pending') later(manners.pendingMs, 'running');
  if (from === 'deleting') later(manners.deletingMs, 'deleted');
  if (from === 'deleted') later(manners.tombstoneMs, '');
  if (from === 'shutting-down') later(manners.shuttingDownMs, 'terminated');
  if (from === 'terminated') {
    loseInterfaces(region, id, nowMs);
    later(manners.terminatedMs, '');
  }
}

/** A terminated instance is still listed, without network interfaces (facts 1.4). */
function loseInterfaces(region: Region, instanceId: string, nowMs: number): void {
  for (const eni of region.interfaces.all()) {
    if (eni.instanceId === instanceId) region.interfaces.remove(eni.id, nowMs);
  }
}
