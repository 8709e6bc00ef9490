/**
 * Where each family has room of its own: one address may have to push out two others, its sibling
 * and one of its family. A small search for that, when paths of one seat at a time have failed.
 */
import type { Address } from '../../core/address.ts';
import type { RefusalReason } from '../../core/decision.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';

/** An address that looks for a seat, and where it sits now. */
export interface Seeker {
  readonly claim: Claim;
  readonly address: Address;
  readonly seat: Host | undefined;
}

export interface Move {
  readonly seeker: Seeker;
  /** Undefined = it makes way for two others: it is homeless now. */
  readonly to: Host | undefined;
}

/** Looks at nodes, and moves that a solution may have: beyond that it is given up. */
const MOST_LOOKS = 400;
const MOST_MOVES = 6;

/** Address → who was pushed out or has found a seat so far. Nobody moves twice. */
type Moved = ReadonlyMap<string, Move>;

export class Reshuffle {
  readonly #hostsFor: (seeker: Seeker) => Iterable<Host>;
  #looks = 0;

  /** `hostsFor` = the nodes that may host the seeker, if they had room. */
  constructor(hostsFor: (seeker: Seeker) => Iterable<Host>) {
    this.#hostsFor = hostsFor;
  }

  /** A seat for the seeker, and others for all that make way for it; none when it was not found. */
  find(seeker: Seeker): readonly Move[] {
    return [...(this.#seatAll([seeker], new Map())?.values() ?? [])];
  }

  #seatAll([first, ...others]: readonly Seeker[], moved: Moved): Moved | undefined {
    if (first === undefined) return moved;
    for (const host of this.#hostsFor(first)) {
      if (++this.#looks > MOST_LOOKS) return undefined;
      for (const leavers of waysIn(first, host, moved)) {
        const next = new Map(moved).set(first.address.text, { seeker: first, to: host });
        for (const one of leavers) next.set(one.address.text, { seeker: one, to: undefined });
        if (next.size > MOST_MOVES) continue;
        const done = this.#seatAll([...others, ...leavers], next);
        if (done !== undefined) return done;
      }
    }
    return first.seat === undefined ? undefined : this.#standIn(first, others, moved);
  }

  /** Nobody takes in whoever was pushed out, but its leaving may let in a homeless sibling. */
  #standIn({ claim }: Seeker, others: readonly Seeker[], moved: Moved): Moved | undefined {
    for (const [text, { reason }] of claim.refusals) {
      const address = claim.wants.get(text);
      if (address === undefined || !aboutRoom.has(reason) || moved.has(text)) continue;
      if (claim.homes.has(text)) continue;
      const seeker: Seeker = { claim, address, seat: undefined };
      for (const host of this.#hostsFor(seeker)) {
        if (++this.#looks > MOST_LOOKS) return undefined;
        if (waysIn(seeker, host, moved)[0]?.length !== 0) continue;
        const done = this.#seatAll(others, new Map(moved).set(text, { seeker, to: host }));
        if (done !== undefined) return done;
      }
    }
    return undefined;
  }
}

const aboutRoom: ReadonlySet<RefusalReason> = new Set(['NodesFull', 'SiblingsEverywhere']);

/** The sets of addresses whose leaving lets the seeker in. */
function waysIn(seeker: Seeker, host: Host, moved: Moved): readonly (readonly Seeker[])[] {
  const there = on(host, moved);
  const sibling = there.find(({ claim }) => claim === seeker.claim);
  if (sibling !== undefined && !mayLeave(sibling, moved)) return [];
  const pushed = sibling === undefined ? [] : [sibling];
  const fits = (leavers: readonly Seeker[]): boolean =>
    hasRoom(host, there, leavers, seeker.address);
  if (fits(pushed)) return [pushed];
  const others = there.filter((one) => one !== sibling && mayLeave(one, moved));
  return others.map((one) => [...pushed, one]).filter(fits);
}

/** Only what was seated in this turn, and once. */
const mayLeave = ({ claim, address }: Seeker, moved: Moved): boolean =>
  claim.fresh.has(address.text) && !moved.has(address.text);

/** Who is on the host after these moves, in order. */
function on(host: Host, moved: Moved): readonly Seeker[] {
  const found: Seeker[] = [];
  for (const text of [...host.tenants.keys()].toSorted()) {
    const claim = host.tenants.get(text);
    const address = claim?.wants.get(text);
    if (claim === undefined || address === undefined || moved.has(text)) continue;
    found.push({ claim, address, seat: host });
  }
  for (const { seeker, to } of moved.values()) if (to === host) found.push(seeker);
  return found;
}

/** What the cloud still has of a leaver takes room on. */
function hasRoom(
  host: Host,
  there: readonly Seeker[],
  leavers: readonly Seeker[],
  comer: Address,
): boolean {
  const taken = new Map<string, 4 | 6>(host.cloudAddresses);
  for (const one of there)
    if (!leavers.includes(one)) taken.set(one.address.text, one.address.family);
  taken.set(comer.text, comer.family);
  const { ip, ipv4, ipv6 } = host.capacity;
  const own = [...taken.values()].filter((family) => family === comer.family).length;
  return taken.size <= ip && own <= (comer.family === 4 ? ipv4 : ipv6);
}
