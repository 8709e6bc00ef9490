/** Source/destination checks: off where pod addresses pass, and bounded against who fights back. */
import type { InterfaceChange } from '../../core/aws-decision.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { CloudInstance } from '../../core/cloud-door.ts';
import type { Node } from '../../core/fact.ts';
import { soon } from './ledger.ts';
import type { Draft } from './plan.ts';
import { troubleReason } from './reasons.ts';
import type { Region } from './region.ts';
import { isScoped } from './routers.ts';
import type { Mode } from './scope.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** The waits before what somebody turned back is set again, by how often that was. */
const waitsMs = [0, 1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** A check that stayed off for so long is not fought about any more. */
const PEACE_MS = 24 * 60 * MINUTE_MS;
/** From so many times on it is said aloud. */
const TOLD_REVERTS = 2;

export function planChecks(world: World, mode: Mode, region: Region, draft: Draft): void {
  if (region.blind !== undefined)
    draft.fail(
      'source/destination checks',
      ...([troubleReason(region.blind.trouble), `${region.blind.action} is not allowed`] as const),
    );
  const known = [...world.instances].filter(([, id]) => region.instances.has(id));
  for (const [name, id] of known.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const node = world.nodes.get(name);
    const instance = region.instances.get(id);
    if (node === undefined || instance?.interface === undefined) continue;
    if (instance.interface === '' || instance.state === 'terminated') continue;
    if (mode.kind === 'keep' && isScoped(node, mode.config, mode.scope))
      turnOff(world, region, node, instance, draft);
    else if (mode.kind === 'keep' || mode.kind === 'clean')
      restore(world, mode.config, node, instance, draft);
  }
}

const titleOf = (node: string): string => `source/destination check of ${node}`;

/** An answer without the field is no proof that it is off (facts R11). */
function turnOff(
  world: World,
  region: Region,
  node: Node,
  instance: CloudInstance,
  draft: Draft,
): void {
  const what = titleOf(node.name);
  if (instance.sourceDestCheck === 'off') return draft.ok(what);
  const last = world.interfaceChanges.get(node.name);
  const isSame = last?.change.interface === instance.interface;
  const wasOff = isSame && last.result === 'done' && last.change.sourceDestCheck === 'off';
  const isOld = last !== undefined && world.nowMs - last.atMs >= PEACE_MS;
  const before = isSame && !isOld ? last.change.reverts : 0;
  const reverts = wasOff && !isOld ? before + 1 : before;
  const dueMs = last === undefined || !isSame ? 0 : dueOf(world, region, last, wasOff, reverts);
  const because = wasOff ? `somebody turned it on again, ${reverts} times so far` : 'it is on';
  if (isSame && last.result === 'refused' && !soon.has(last.trouble))
    draft.fail(what, troubleReason(last.trouble), last.message, dueMs);
  else if (wasOff && reverts > TOLD_REVERTS) draft.fail(what, 'ForeignWriter', because, dueMs);
  else draft.wait(what, because, dueMs);
  if (dueMs > world.nowMs || world.inFlight.has(node.name)) return;
  const change = changeOf(node, region.name, instance, 'off', reverts);
  draft.steps.push({ kind: 'check', change, because });
}

type Last = NonNullable<ReturnType<World['interfaceChanges']['get']>>;

function dueOf(world: World, region: Region, last: Last, wasOff: boolean, reverts: number): number {
  const { retryMs, pendingMs } = world.settings.times;
  if (last.result === 'refused') return last.atMs + (soon.has(last.trouble) ? pendingMs : retryMs);
  if (last.result === 'open' || last.result === 'unknown')
    return region.picturedMs > last.atMs ? 0 : Infinity;
  if (last.result === 'gone') return region.picturedMs > last.atMs ? last.atMs + retryMs : Infinity;
  if (!wasOff) return 0;
  // A listing from before the change tells nothing.
  if (region.picturedMs <= last.atMs) return Infinity;
  return last.atMs + (waitsMs[Math.min(reverts - 1, waitsMs.length - 1)] ?? 0);
}

/** Only what we turned off is turned on again, and only when that is asked for. */
function restore(
  world: World,
  config: BgpConfig,
  node: Node,
  instance: CloudInstance,
  draft: Draft,
): void {
  const last = world.interfaceChanges.get(node.name);
  if (config.aws?.restoreSourceDestCheck !== true || last === undefined) return;
  const { change, result } = last;
  if (change.interface !== instance.interface || change.sourceDestCheck !== 'off') {
    if (change.sourceDestCheck === 'on' && result !== 'done')
      again(world, node, instance, last, draft);
    return;
  }
  if (result !== 'done') return;
  const because = 'its node does not need it off any more';
  draft.wait(titleOf(node.name), because);
  if (world.inFlight.has(node.name)) return;
  const step = changeOf(node, change.region, instance, 'on', 0);
  draft.steps.push({ kind: 'check', change: step, because });
}

function again(world: World, node: Node, instance: CloudInstance, last: Last, draft: Draft): void {
  if (last.result === 'gone' || last.change.interface !== instance.interface) return;
  const dueMs = last.atMs + world.settings.times.retryMs;
  draft.wait(titleOf(node.name), last.message || 'it is to be turned on again', dueMs);
  if (dueMs > world.nowMs || world.inFlight.has(node.name)) return;
  const change = changeOf(node, last.change.region, instance, 'on', 0);
  draft.steps.push({ kind: 'check', change, because: 'its node does not need it off any more' });
}

const changeOf = (
  node: Node,
  region: string,
  { id, interface: eni }: CloudInstance,
  sourceDestCheck: string,
  reverts: number,
): InterfaceChange => ({
  ...{ node: node.name, uid: node.uid, region, instance: id, interface: eni },
  ...{ sourceDestCheck, reverts },
});
