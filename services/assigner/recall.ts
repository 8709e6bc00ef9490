/** How the assigner hears its own words again after a restart. */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { EgressDecision, Refusal } from '../../core/decision.ts';
import type { Claim, Decided } from './claim.ts';
import type { World } from './world.ts';

/** What we said ourselves, heard again after a restart. */
export function recall(world: World, decision: EgressDecision): void {
  if (decision.kind === 'NodeJudged') {
    world.host(decision.name).judged = decision.problems;
    return;
  }
  world.marks.remember(decision.mark, decision.markSerial);
  if (decision.kind === 'EgressIPForgotten') return;
  const claim = world.claim(decision.name);
  if (claim.decided === decision) return;
  if (claim.seen === undefined || claim.seen.uid === decision.uid)
    return remember(world, claim, decision);
  claim.orphan = decision;
  world.stir(claim, undefined);
}

/** Refusals that follow from the spec's text alone are read from there each time. */
const aboutText: ReadonlySet<Refusal['reason']> = new Set(['Doubled', 'InvalidAddress']);

function remember(world: World, claim: Claim, decision: Decided): void {
  claim.decided = decision;
  for (const { address, node, previous } of decision.placements)
    if (!world.owners.has(address)) world.settle(claim, address, node, previous);
  for (const refusal of decision.refusals)
    if (!aboutText.has(refusal.reason)) claim.refusals.set(refusal.address, refusal);
  claim.rests = decision.rests;
  for (const { untilMs, address } of decision.rests) world.setAlarm(untilMs, address);
  const own = claim.seen?.annotations[EGRESSIP_MARK];
  if (decision.mark !== 0 && own === undefined) world.marks.reserve(claim.name, decision.mark);
  world.stir(claim, undefined);
}
