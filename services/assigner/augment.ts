/**
 * Where nodes have limited room: makes room for an address by moving others that nobody knows of
 * yet.
 */
import type { Address } from '../../core/address.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { hostsFor, placeOf, poolFor, siblingHosts } from './openings.ts';
import { type Move, Reshuffle, type Seeker } from './reshuffle.ts';
import { seatAt } from './seat.ts';
import { lastHomeOf } from './verdict.ts';
import type { World } from './world.ts';

/** An address that looks for a seat, and the one that would take its seat. */
interface Follower extends Seeker {
  readonly before: Follower | undefined;
}

/**
 * Seats an address along a shortest augmenting path over addresses that were seated in this turn
 * (`reliability.md` B6.5); what was decided before never moves. False when there is no such path:
 * then every node whose room was asked for is a dead end for this family until room comes free.
 * Where each family has room of its own, a small search for more than paths comes last.
 */
export function augment(world: World, claim: Claim, address: Address): boolean {
  const queue: Follower[] = [{ claim, address, seat: undefined, before: undefined }];
  const queued = new Set([address.text]);
  /** Where all nodes are full: whoever looks there next can only have a sibling's seat. */
  const exhausted = new Set<string>();
  const full = { 4: new Set<Host>(), 6: new Set<Host>() };
  for (let at = 0; at < queue.length; at++) {
    const seeker = queue[at];
    if (seeker === undefined) break;
    const { family } = seeker.address;
    const place = placeOf(world, seeker);
    const hosts = exhausted.has(place) ? siblingHosts(world, seeker) : hostsFor(world, seeker);
    for (const host of hosts) {
      const sibling = siblingOn(host, seeker.claim);
      if (sibling === undefined) {
        if (full[family].has(host) || world.deadEnds[family].has(host)) continue;
        if (host.hasRoomFor(seeker.address) && shift(world, seeker, host)) return true;
        full[family].add(host);
      }
      for (const other of evictable(host, seeker, sibling)) {
        if (queued.has(other.address.text)) continue;
        queued.add(other.address.text);
        queue.push(other);
      }
    }
    const isFull = (host: Host): boolean =>
      full[family].has(host) || world.deadEnds[family].has(host);
    if (!exhausted.has(place) && poolFor(world, seeker).every(isFull)) exhausted.add(place);
  }
  for (const family of [4, 6] as const)
    for (const host of full[family]) world.deadEnds[family].add(host);
  return [...full[4], ...full[6]].some(splitsRoom) && reshuffle(world, claim, address);
}

const splitsRoom = ({ capacity }: Host): boolean =>
  capacity.ipv4 < Infinity || capacity.ipv6 < Infinity;

function reshuffle(world: World, claim: Claim, address: Address): boolean {
  const search = new Reshuffle((seeker) => hostsFor(world, seeker));
  const moves = search.find({ claim, address, seat: undefined });
  carryOut(world, moves);
  return moves.length > 0;
}

function siblingOn(host: Host, claim: Claim): string | undefined {
  for (const [address, home] of claim.homes) if (home.node === host.name) return address;
  return undefined;
}

/** Whoever could make way: the seeker's own sibling alone, else those whose leaving makes room. */
function evictable(host: Host, seeker: Follower, sibling: string | undefined): readonly Follower[] {
  const texts = sibling === undefined ? [...host.tenants.keys()].toSorted() : [sibling];
  const found: Follower[] = [];
  for (const text of texts) {
    const claim = host.tenants.get(text);
    const address = claim?.wants.get(text);
    if (claim === undefined || address === undefined || !claim.fresh.has(text)) continue;
    if (!host.hasRoomAfter(text, seeker.address)) continue;
    found.push({ claim, address, seat: host, before: seeker });
  }
  return found;
}

/**
 * Everybody along the path moves one seat on, from the free node back to the first seeker. False,
 * and nothing is changed, when a path that meets itself does not fit after all: with two families,
 * whoever left a node may not have made room for whoever came.
 */
function shift(world: World, last: Follower, free: Host): boolean {
  const moves = movesAlong(last, free);
  if (!moves.every(({ to }) => to === undefined || fits(to, moves))) return false;
  carryOut(world, moves);
  return true;
}

function carryOut(world: World, moves: readonly Move[]): void {
  for (const { seeker, to } of moves) {
    const { claim, address, seat } = seeker;
    const known = claim.homes.get(address.text)?.previous ?? lastHomeOf(claim, address.text);
    if (seat !== undefined) world.unsettle(claim, address.text);
    if (to === undefined) {
      world.toPlace.add(claim);
      continue;
    }
    seatAt(world, claim, address.text, to.name, known);
  }
}

function movesAlong(last: Follower, free: Host): readonly Move[] {
  const moves: Move[] = [];
  let to: Host | undefined = free;
  for (let seeker: Follower | undefined = last; seeker !== undefined && to !== undefined; ) {
    moves.push({ seeker, to });
    to = seeker.seat;
    seeker = seeker.before;
  }
  return moves;
}

/** Whether all that come to the host fit there once all that leave it have left. */
function fits(host: Host, moves: readonly Move[]): boolean {
  const there = new Map<string, 4 | 6>(host.cloudAddresses);
  const leavers = moves.filter(({ seeker }) => seeker.seat === host);
  for (const text of host.tenants.keys())
    if (!leavers.some(({ seeker }) => seeker.address.text === text))
      there.set(text, text.includes(':') ? 6 : 4);
  const comers = moves.filter(({ to }) => to === host).map(({ seeker }) => seeker.address);
  for (const { text, family } of comers) there.set(text, family);
  const { ip, ipv4, ipv6 } = host.capacity;
  if (there.size > ip) return false;
  const six = [...there.values()].filter((family) => family === 6).length;
  return comers.every(({ family }) => (family === 6 ? six <= ipv6 : there.size - six <= ipv4));
}
