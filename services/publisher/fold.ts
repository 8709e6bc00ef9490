/** How the publisher learns: decisions say what is wanted, facts what is, outcomes what was done. */
import type { Decision } from '../../core/decision.ts';
import type { Heard } from '../../core/event.ts';
import type { EgressIP } from '../../core/fact.ts';
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Thing, Wanted } from './object.ts';
import type { World } from './world.ts';

export function fold(world: World, heard: Heard): void {
  const { event } = heard;
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
    case 'CloudClaimGone':
    case 'CloudClaimPublished':
    case 'PlatformSeen':
    case 'ProberSeen':
      return undefined;
    case 'EgressIPPublished':
    case 'NodePublished':
      return recall(world, event);
    case 'ReachabilitySeen':
    case 'ReachabilityForgotten':
    case 'Synced':
      return undefined;
  }
}

function seeNode(world: World, name: string, uid: string): void {
  const thing = world.thing('node', name);
  thing.uid = uid;
  if (uid === '') world.nodes.delete(name);
  else if (thing.untold.length > 0) world.toTell.add(thing);
}

function seeEgressIP(world: World, seen: EgressIP): void {
  const thing = world.thing('egressip', seen.name);
  if (thing.uid !== seen.uid) {
    thing.uid = seen.uid;
    thing.failedWrites = 0;
    thing.refused = 0;
  }
  thing.marked = seen.annotations[EGRESSIP_MARK] !== undefined;
  world.setItems(thing, seen.items);
  world.toWrite.add(thing);
  if (thing.untold.length > 0) world.toTell.add(thing);
}

function loseEgressIP(world: World, name: string): void {
  const thing = world.thing('egressip', name);
  thing.uid = '';
  thing.marked = false;
  world.setItems(thing, []);
  settle(world, thing);
}

/** A name that neither the cluster nor the decisions know any more is forgotten. */
export function settle(world: World, thing: Thing): void {
  if (thing.uid !== '' || thing.wanted !== undefined) return;
  if (thing.writing !== undefined || thing.telling !== undefined) return;
  (thing.kind === 'egressip' ? world.egressIPs : world.nodes).delete(thing.name);
  world.toWrite.delete(thing);
  world.toTell.delete(thing);
}

function want(world: World, heard: Heard, decision: Decision): void {
  const kind = decision.kind === 'NodeJudged' ? 'node' : 'egressip';
  const thing = world.thing(kind, decision.name);
  if (decision.kind === 'EgressIPForgotten') {
    thing.wanted = undefined;
    thing.untold.length = 0;
    return settle(world, thing);
  }
  const wanted = wantedOf(heard, decision);
  thing.wanted = wanted;
  if (kind === 'egressip') world.toWrite.add(thing);
  if (wanted.notices.length === 0 || thing.told === wanted.sequence) return;
  thing.untold.push(wanted);
  world.toTell.add(thing);
}

function wantedOf(
  heard: Heard,
  decision: Exclude<Decision, { kind: 'EgressIPForgotten' }>,
): Wanted {
  const { sequence, atMs } = heard;
  const { uid, notices } = decision;
  const placements = decision.kind === 'EgressIPDecided' ? decision.placements : [];
  const items = placements.map(({ address, node }) => ({ egressIP: address, node }));
  const mark = decision.kind === 'EgressIPDecided' ? decision.mark : 0;
  return { sequence, atMs, uid, items, mark, notices };
}

/** What was recorded before a restart is not recorded again. */
function recall(
  world: World,
  outcome: Exclude<Outcome, { kind: 'CloudClaimPublished' }>,
): void {
  const kind = outcome.kind === 'NodePublished' ? 'node' : 'egressip';
  const thing = world.thing(kind, outcome.name);
  if (outcome.told === 0) return;
  thing.told = outcome.told;
  const rest = thing.untold.filter(({ sequence }) => sequence !== outcome.told);
  thing.untold.splice(0, thing.untold.length, ...rest);
}
