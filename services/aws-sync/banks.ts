/** The peers at one endpoint of a group, old ones and those that are as they are to be. */
import type { CloudPeer } from '../../core/cloud-door.ts';
import type { Group } from './groups.ts';
import { ownerOf, soon } from './ledger.ts';
import type { Region } from './region.ts';
import { type Attributes, differs } from './verdict.ts';
import type { Wish } from './wishes.ts';
import type { World } from './world.ts';

/** The peers of ours at one endpoint's wished places. */
export interface Bank {
  readonly endpoint: string;
  readonly address: string;
  readonly wished: readonly Wish[];
  readonly old: readonly CloudPeer[];
  readonly fresh: readonly CloudPeer[];
}

export function banksOf(
  world: World,
  region: Region,
  target: Attributes,
  { key, endpoints }: Group,
  wishes: readonly Wish[],
): readonly Bank[] {
  const own = wishes.filter(({ group }) => group === key);
  return endpoints.map(({ id, address }) => {
    const wished = own.filter(
      ({ endpoint, place }) => endpoint.id === id && isHopeful(world, region, place),
    );
    const addresses = new Set(wished.map((wish) => wish.address));
    const peers = region
      .on(id)
      .filter((peer) => addresses.has(peer.address) && ownerOf(world, peer) === 'ours');
    const living = peers.filter(({ state }) => state !== 'deleting');
    const old = living.filter((peer) => differs(peer, target));
    const fresh = living.filter((peer) => !differs(peer, target));
    return { endpoint: id, address, wished, old, fresh };
  });
}

/** A place that somebody else holds, or that AWS refuses to us, holds up no change. */
function isHopeful(world: World, region: Region, place: string): boolean {
  const here = region.at(place);
  if (here.length > 0) return here.some((peer) => ownerOf(world, peer) === 'ours');
  const last = world.peerChanges.get(place);
  return last?.result !== 'refused' || soon.has(last.trouble);
}

/** All are available; one that fails for itself holds up nobody. */
export function isDone({ wished, fresh }: Bank): boolean {
  const available = fresh.filter(({ state }) => state === 'available').length;
  const broken = fresh.filter(({ state }) => state === 'failed' || state === 'failing').length;
  return available > 0 && available + broken >= wished.length;
}

/** Some of it is gone already. */
export const isBegun = ({ wished, old }: Bank): boolean => old.length < wished.length;

/** Every session with these peers is up, as AWS or as FRR tells it. */
export function isUp(world: World, { address, fresh, wished }: Bank): boolean {
  const established = new Set<string>();
  for (const { node, peer, bgpStatus } of world.sessions.values())
    if (peer === address && bgpStatus === 'Established') established.add(node);
  return fresh.every(({ bgp, address: of }) => {
    const node = wished.find((wish) => wish.address === of)?.node ?? '';
    return bgp === 'up' || established.has(node);
  });
}
