/** A CloudPrivateIPConfig without an owner is not ours: it is reported, and never touched. */
import { CLOUD_OWNER } from '../../core/annotation.ts';
import { type Claim, SOMEBODY } from './claims.ts';
import { leftAlone } from './sayings.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

/** Once when it is seen, and once more for each EgressIP that asks for its address. */
export function report(world: World, claim: Claim): void {
  const { seen, asker, reportedTo } = claim;
  if (!world.cloud || seen === undefined || seen.owner !== '') return;
  // One that is decided on, but not seen yet, cannot have an Event: it asks once it is.
  const asking = asker !== undefined && asker.uid !== '' ? asker : undefined;
  const name = asking?.name ?? '';
  if (reportedTo !== undefined && (name === '' || name === reportedTo)) return;
  claim.reportedTo = name;
  if (reportedTo === SOMEBODY) return;
  world.says.push(leftAlone(claim, seen.node, name));
  if (asking === undefined) return;
  const note =
    `egress IP: ${claim.address} for object EgressIP: ${name} could not be created, err: ` +
    `its CloudPrivateIPConfig has no annotation ${CLOUD_OWNER} and is left alone`;
  notify(world, asking, { reason: 'CloudAssignmentFailed', type: 'Warning', note }, world.nowMs);
}
