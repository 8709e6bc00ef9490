/** Peers of ours that nobody wants (any more): when they go, and when they had better stay. */
import type { CloudPeer } from '../../core/cloud-door.ts';
import { ownerOf } from './ledger.ts';
import type { Draft } from './plan.ts';
import type { Region } from './region.ts';
import type { Removals } from './removals.ts';
import { isConfigured, type Mode } from './scope.ts';
import type { Standing } from './standing.ts';
import { placeOf, type World } from './world.ts';

export interface Leftovers {
  readonly mode: Mode;
  readonly wished: ReadonlySet<string>;
  readonly routers: readonly Standing[];
  /** The new scope was found: the old one may go. */
  readonly settled: boolean;
}

/** Ours, in the order of their places. */
export function oursIn(world: World, region: Region): readonly CloudPeer[] {
  const ours = [...region.peers.values()].filter((peer) => ownerOf(world, peer) === 'ours');
  return ours.toSorted(
    (a, b) =>
      compare(a.endpoint, b.endpoint) || compare(a.address, b.address) || compare(a.id, b.id),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function removeUnwanted(
  world: World,
  region: Region,
  of: Leftovers,
  draft: Draft,
  removals: Removals,
): void {
  for (const peer of oursIn(world, region)) {
    if (of.wished.has(placeOf(peer))) {
      region.unwantedMs.delete(peer.id);
      continue;
    }
    const because = reasonOf(world, region, peer, of);
    if (because === undefined) region.unwantedMs.delete(peer.id);
    else letGo(world, region, peer, because, of, draft, removals);
  }
}

/** Why it is to go; undefined = it stays. */
function reasonOf(
  world: World,
  region: Region,
  peer: CloudPeer,
  { mode, routers, settled }: Leftovers,
): string | undefined {
  if (mode.kind === 'clean') return 'the CUDNBgpConfig wants nothing in AWS any more';
  if (!isConfigured(mode, region.name, peer.server))
    return settled ? 'its Route Server is not configured any more' : undefined;
  const node = nodeOf(world, peer);
  if (routers.some((router) => isHeldBy(router, peer, node))) return undefined;
  return node === '' ? 'no router node has its address' : `${node} does not need it any more`;
}

/** A node that cannot be judged now keeps what it has (W-55). */
function isHeldBy(router: Standing, { address }: CloudPeer, node: string): boolean {
  if (router.state !== 'frozen' && router.state !== 'unseen') return false;
  return router.node.name === node || router.node.internalIPs.includes(address);
}

/** The node that the peer was made or kept for, as far as the log knows; ''. */
export function nodeOf(world: World, peer: CloudPeer): string {
  const told = world.lastTold('PeersSeen', `routeserverpeers/${peer.endpoint}`);
  const known = told?.peers.find(({ id }) => id === peer.id)?.node ?? '';
  if (known !== '') return known;
  const change = world.peerChanges.get(placeOf(peer))?.change;
  return change?.id === peer.id ? change.node : '';
}

function letGo(
  world: World,
  region: Region,
  peer: CloudPeer,
  because: string,
  of: Leftovers,
  draft: Draft,
  removals: Removals,
): void {
  const { mode, routers } = of;
  const sinceMs = region.unwantedMs.get(peer.id) ?? world.nowMs;
  region.unwantedMs.set(peer.id, sinceMs);
  const isWhole = mode.kind === 'clean' || !isConfigured(mode, region.name, peer.server);
  if (isWhole) {
    removals.tell(peer, because);
    return removals.remove(peer, nodeOf(world, peer), because, false);
  }
  const node = nodeOf(world, peer);
  const isOver = routers.some(({ state, node: of }) => state === 'gone' && of.name === node);
  const { graceMs, emptyMs } = world.settings.times;
  const dueMs = Math.max(
    isOver ? 0 : sinceMs + graceMs,
    world.emptySinceMs === 0 ? 0 : world.emptySinceMs + emptyMs,
  );
  if (dueMs > world.nowMs) return draft.at(dueMs);
  removals.tell(peer, because);
  removals.remove(peer, node, because, true);
}
