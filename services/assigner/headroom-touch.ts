/** What an event is about, as far as headroom is concerned. */
import { addressOfCloudName } from '../../core/cloudname.ts';
import type { Event } from '../../core/event.ts';
import type { World } from './world.ts';

/** The node that the event is about. */
export function nodeOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'NodeSeen':
      return event.node.name;
    case 'NodeGone':
    case 'ReachabilitySeen':
    case 'ReachabilityForgotten':
      return event.name;
    default:
      return undefined;
  }
}

/** The EgressIP that the event is about. */
export function claimOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'EgressIPSeen':
      return event.egressIP.name;
    case 'EgressIPGone':
    case 'EgressIPDecided':
    case 'EgressIPForgotten':
      return event.name;
    default:
      return undefined;
  }
}

/** The nodes where the cloud has an address, or had it before the event: there the room changes. */
export function roomOf(world: World, event: Event): readonly string[] {
  if (event.kind !== 'CloudClaimSeen' && event.kind !== 'CloudClaimGone') return [];
  const now = event.kind === 'CloudClaimSeen' ? event.claim : undefined;
  const name = event.kind === 'CloudClaimSeen' ? event.claim.name : event.name;
  const before = world.cloudClaims.get(addressOfCloudName(name)?.text ?? '');
  const nodes = [now?.node, now?.statusNode, before?.node, before?.statusNode];
  return nodes.filter((node) => node !== undefined);
}
