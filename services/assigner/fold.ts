/** How the assigner learns one event. */
import type { Cause, Heard } from '../../core/event.ts';
import type { EgressIP } from '../../core/fact.ts';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import { compile } from '../../core/selector.ts';
import { type Claim, readSpec } from './claim.ts';
import { seeCloudClaim, seePlatform } from './cloud.ts';
import { readMark } from './marks.ts';
import { seeAnswer, seeNode, sync } from './nodes.ts';
import { recall } from './recall.ts';
import type { World } from './world.ts';

export function fold(world: World, heard: Heard): void {
  const cause: Cause = { stream: heard.stream, sequence: heard.sequence };
  const event = heard.event;
  world.reach(heard.atMs);
  switch (event.kind) {
    case 'NodeSeen':
      return seeNode(world, event.node.name, event.node, cause);
    case 'NodeGone':
      return seeNode(world, event.name, undefined, cause);
    case 'ReachabilitySeen':
      return seeAnswer(world, event.name, event.reachable, event.because, cause);
    case 'ReachabilityForgotten':
      return seeAnswer(world, event.name, undefined, '', cause);
    case 'Synced':
      return sync(world, event.probing, event.kinds);
    case 'EgressIPSeen':
      return seeEgressIP(world, event.egressIP, cause);
    case 'EgressIPGone':
      return loseEgressIP(world, event.name, cause);
    case 'EgressIPDecided':
    case 'EgressIPForgotten':
    case 'NodeJudged':
      return heard.stream === 'assigner' ? recall(world, event) : undefined;
    case 'CloudClaimSeen':
      return seeCloudClaim(world, event.claim.name, event.claim, heard.atMs, cause);
    case 'CloudClaimGone':
      return seeCloudClaim(world, event.name, undefined, heard.atMs, cause);
    case 'PlatformSeen':
      return seePlatform(world, event.platform, cause);
    // BGP routing, and what comes of decisions, are no matter of where addresses are.
    default:
      return undefined;
  }
}

function seeEgressIP(world: World, seen: EgressIP, cause: Cause): void {
  const claim = world.claim(seen.name);
  const known = claim.seen?.uid ?? claim.decided?.uid;
  if (known !== undefined && known !== seen.uid) forget(world, claim, cause);
  const before = claim.wants;
  readSpec(claim, seen);
  listWants(world, claim, before);
  if (claim.rebalancePerMinute > 0) world.rebalancers.add(claim);
  else world.rebalancers.delete(claim);
  world.enlist(claim, compile(seen.nodeSelector));
  seeMark(world, claim, seen);
  world.stir(claim, cause);
}

function listWants(world: World, claim: Claim, before: Claim['wants']): void {
  for (const address of before.keys()) {
    if (!claim.wants.has(address)) world.wanters.delete(address, claim);
  }
  for (const address of claim.wants.keys()) world.wanters.add(address, claim);
}

/** The object's own mark counts more than what we gave: nobody may change it any more. */
function seeMark(world: World, claim: Claim, seen: EgressIP): void {
  const text = seen.annotations[EGRESSIP_MARK];
  if (text === undefined) return;
  const mark = readMark(text);
  if (world.marks.markOf(claim.name) !== mark) world.marks.release(claim.name);
  if (mark !== undefined) world.marks.reserve(claim.name, mark);
}

function loseEgressIP(world: World, name: string, cause: Cause): void {
  const claim = world.claims.get(name);
  if (claim === undefined) return;
  const before = claim.wants;
  claim.seen = undefined;
  world.rebalancers.delete(claim);
  claim.wants = new Map();
  claim.invalid = [];
  claim.doubled = [];
  listWants(world, claim, before);
  world.stir(claim, cause);
}

/** Another object has the name now: what the old one had is free. */
export function forget(world: World, claim: Claim, cause: Cause): void {
  for (const address of [...claim.homes.keys()]) {
    world.unsettle(claim, address);
    world.stirWanters(address, cause, claim);
  }
  claim.refusals.clear();
  claim.losses.clear();
  claim.held.clear();
  claim.rests = [];
  claim.orphan ??= claim.decided;
  claim.decided = undefined;
  claim.adopted = undefined;
  claim.use?.waiting.delete(claim);
  world.marks.release(claim.name);
}
