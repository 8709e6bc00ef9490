/** What the last change at a place means for the next one, and whose a peer is. */
import type { CloudPeer } from '../../core/cloud-door.ts';
import type { Region } from './region.ts';
import type { Owner } from './verdict.ts';
import { placeOf, type World } from './world.ts';

/** By its tag; or it is nobody's yet, and we made it. */
export function ownerOf(world: World, peer: CloudPeer): Owner {
  if (peer.owner === world.owner) return 'ours';
  if (peer.owner !== '') return 'other';
  return isMade(world, peer) ? 'ours' : 'nobody';
}

/**
 * We made this very peer, although no tag says so yet: a create whose reply was lost may be tagged
 * late, or not at all (facts 1.2).
 */
export function isMade(world: World, peer: CloudPeer): boolean {
  const entry = world.peerChanges.get(placeOf(peer));
  if (entry === undefined) return false;
  const { change, result } = entry;
  if (change.id !== '') return change.made && change.id === peer.id;
  if (change.change !== 'create' || (result !== 'open' && result !== 'unknown')) return false;
  return change.asn === peer.asn && change.liveness === peer.liveness;
}

/**
 * When a change at this place may be tried (again), in milliseconds since 1970; in the past = now,
 * Infinity = not before a complete listing that is late enough to show what may have happened.
 */
export function readyMs(world: World, region: Region, place: string): number {
  const entry = world.peerChanges.get(place);
  const { pendingMs, retryMs, lagMs } = world.settings.times;
  if (entry === undefined) {
    const { knownFromMs = -Infinity } = world;
    return region.listedMs >= knownFromMs + lagMs ? 0 : Infinity;
  }
  switch (entry.result) {
    case 'done':
      return 0;
    case 'gone':
      return entry.atMs + pendingMs;
    case 'open':
    case 'unknown': {
      const seenMs = entry.atMs + (entry.change.change === 'create' ? lagMs : 1);
      return region.listedMs >= seenMs ? 0 : Infinity;
    }
    case 'refused':
      return entry.atMs + (soon.has(entry.trouble) ? pendingMs : retryMs);
  }
}

/** Troubles that pass by themselves. */
export const soon: ReadonlySet<string> = new Set(['throttled', 'state', 'exists', 'identity']);
