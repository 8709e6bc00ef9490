/** What an event is about, as far as headroom is concerned. */
import { addressOfCloudName } from '../../core/cloudname.ts';
import type { Event } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import type { World } from './world.ts';

/** The node that the event is about, or its probe; what we say of a node ourselves is no change. */
export function nodeOf(event: Event): string | undefined {
  if (event.kind === 'NodeJudged' || event.kind === 'NodePublished') return undefined;
  const { kind, name } = topicOf(event);
  return kind === 'node' || kind === 'probe' ? name : undefined;
}

/** The EgressIP that the event is about. */
export function claimOf(event: Event): string | undefined {
  const { kind, name } = topicOf(event);
  return kind === 'egressip' ? name : undefined;
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
