/** At any time: a status names a node only after the cloud (`spec/egressip.md` 11.8). */
import { CLOUD_CLAIMS, EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Change } from '../api-server.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';
import { pastOf, readClaim, readEgressIP } from '../truth.ts';
import { windowMs } from '../window.ts';
import { added, isRoom, recently } from './writes.ts';

const name = 'anytime-cloud-first';

export const cloudFirst = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (!world.shape.cloud || !isRoom(change.by)) return;
    if (change.collection === EGRESSIPS && change.type !== 'DELETED') confirmed(world, change);
    if (change.collection === CLOUD_CLAIMS) unused(world, change);
  },
});

function confirmed(world: Simulation, change: Change): void {
  const own = change.object.metadata.name;
  for (const { egressIP, node } of added(change)) {
    const sinceMs = world.scheduler.nowMs - (windowMs(world.plan) === 60_000 ? 5_000 : 150_000);
    const past = pastOf(world.server.history, CLOUD_CLAIMS, egressIP, sinceMs);
    const was = past.some(({ object }) => {
      if (object === undefined) return false;
      const claim = readClaim(object);
      const there = claim.node === node && claim.statusNode === node && claim.assigned === 'True';
      return there && claim.owner === own && !claim.deleting;
    });
    if (!was) world.fail(name, `${egressIP} of ${own} on ${node} was not confirmed`);
  }
}

/** A claim is moved or deleted only when no status has its address any more. */
function unused(world: Simulation, { before, object }: Change): void {
  if (before === undefined || recently(world, object.metadata.name)) return;
  const was = readClaim(before);
  const is = readClaim(object);
  const leaves = was.node !== is.node || (is.deleting && !was.deleting);
  if (!leaves) return;
  for (const one of world.server.list(EGRESSIPS)) {
    const { name: holder, items } = readEgressIP(one);
    if (recently(world, holder)) continue;
    if (items.some(({ egressIP }) => egressIP === was.name))
      world.fail(name, `the claim of ${was.name} leaves ${was.node} while ${holder} has it`);
  }
}
