/**
 * How the publisher learns: decisions say what is wanted, facts what is, outcomes what was done.
 */
import { addressOfCloudName } from '../../core/cloudname.ts';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { Heard } from '../../core/event.ts';
import type { CloudClaim, EgressIP } from '../../core/fact.ts';
import type { EgressOutcome } from '../../core/outcome.ts';
import { isCloud } from '../../core/platform.ts';
import { SOMEBODY } from './claims.ts';
import { foldRouting } from './routing-fold.ts';
import { settle } from './settle.ts';
import { want } from './want.ts';
import type { World } from './world.ts';

export function fold(world: World, heard: Heard): void {
  const { event } = heard;
  world.routing.late = true;
  switch (event.kind) {
    case 'NodeSeen':
      return seeNode(world, event.node.name, event.node.uid);
    case 'NodeGone':
      return seeNode(world, event.name, '');
    case 'EgressIPSeen':
      return seeEgressIP(world, event.egressIP);
    case 'EgressIPGone':
      return loseEgressIP(world, event.name);
    case 'EgressIPDecided':
    case 'EgressIPForgotten':
    case 'NodeJudged':
      return want(world, heard, event);
    case 'CloudClaimSeen':
      return seeClaim(world, event.claim.name, event.claim);
    case 'CloudClaimGone':
      return seeClaim(world, event.name, undefined);
    case 'EgressIPPublished':
    case 'NodePublished':
    case 'CloudClaimPublished':
      return recall(world, heard, event);
    case 'PlatformSeen':
      world.cloud = isCloud(event.platform);
      return stirAll(world);
    case 'Synced':
      world.synced = true;
      return stirAll(world);
    case 'ReachabilitySeen':
      return probed(world, event.name, event.reachable);
    case 'ReachabilityForgotten':
      return void world.reachable.delete(event.name);
    default:
      return foldRouting(world, heard, event);
  }
}

function stirAll(world: World): void {
  for (const claim of world.claims.all()) world.toClaim.add(claim);
}

function probed(world: World, name: string, reachable: boolean): void {
  if (reachable) world.reachable.add(name);
  else if (world.reachable.delete(name)) world.tally.unreachable++;
}

function seeNode(world: World, name: string, uid: string): void {
  const thing = world.thing('node', name);
  thing.uid = uid;
  if (uid === '') {
    world.nodes.delete(name);
    for (const claim of world.claims.failed)
      if (claim.seen?.statusNode === name) world.toClaim.add(claim);
  } else if (thing.untold.length > 0) world.toTell.add(thing);
}

function seeEgressIP(world: World, seen: EgressIP): void {
  const thing = world.thing('egressip', seen.name);
  if (thing.uid !== seen.uid) {
    thing.uid = seen.uid;
    thing.failedWrites = 0;
    thing.refused = '';
    thing.accepted = '';
    stirOwn(world, seen.name);
  }
  thing.show(seen.items, seen.annotations[EGRESSIP_MARK] !== undefined);
  world.setItems(thing, seen.items);
  world.toWrite.add(thing);
  if (thing.untold.length > 0) world.toTell.add(thing);
}

function loseEgressIP(world: World, name: string): void {
  const thing = world.thing('egressip', name);
  thing.uid = '';
  thing.show([], false);
  world.setItems(thing, []);
  world.toWrite.add(thing);
  stirOwn(world, name);
  settle(world, thing);
}

/** Every claim that the object has or wants. */
function stirOwn(world: World, name: string): void {
  for (const claim of world.claims.ownedBy(name)) world.toClaim.add(claim);
  for (const { egressIP } of world.egressIPs.get(name)?.wanted?.items ?? []) {
    const claim = world.claims.known(egressIP);
    if (claim !== undefined) world.toClaim.add(claim);
  }
}

/** A name that is no address is none of ours. */
function seeClaim(world: World, name: string, seen: CloudClaim | undefined): void {
  const address = addressOfCloudName(name)?.text;
  if (address === undefined) return;
  const claim = world.claims.of(address);
  claim.expectedMs = 0;
  claim.shown = seen;
  world.expected.delete(claim);
  if (claim.seen?.uid !== seen?.uid) claim.failed = 0;
  if (seen?.owner !== '') claim.reportedTo = undefined;
  world.claims.see(claim, seen);
  world.stir(claim);
}

/** What was recorded or told before a restart is not told again. */
function recall(world: World, { causes }: Heard, outcome: EgressOutcome): void {
  if (outcome.kind === 'CloudClaimPublished') return recallClaim(world, outcome, causes.length > 0);
  const kind = outcome.kind === 'NodePublished' ? 'node' : 'egressip';
  const thing = world.thing(kind, outcome.name);
  if (outcome.kind === 'EgressIPPublished' && outcome.shadow)
    thing.shadowed = causes[0]?.sequence ?? 0;
  if (outcome.told === 0) return;
  thing.told = outcome.told;
  const rest = thing.untold.filter(({ decision }) => decision !== outcome.told);
  thing.untold.splice(0, thing.untold.length, ...rest);
}

function recallClaim(
  world: World,
  { name, owner, wrote }: Extract<EgressOutcome, { kind: 'CloudClaimPublished' }>,
  asked: boolean,
): void {
  const address = addressOfCloudName(name)?.text;
  if (address === undefined) return;
  const claim = world.claims.of(address);
  const isReport = owner === '' && wrote === '';
  claim.reportedTo = isReport ? (asked ? SOMEBODY : '') : undefined;
  world.toClaim.add(claim);
}
