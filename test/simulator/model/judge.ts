/** The best that could be decided, found by trying all: it shares no line with what it judges. */
import { type Land, type NodeChoice, type State, wantsOf, type Wish } from './land.ts';

/** `x 10.0.0.100` → the node. */
export type Homes = ReadonlyMap<string, string>;

interface Seat {
  readonly owner: string;
  readonly address: string;
}

const seatOf = (key: string): Seat => {
  const [owner = '', address = ''] = key.split(' ');
  return { owner, address };
};

class Picture {
  readonly land: Land;
  readonly state: State;

  constructor(land: Land, state: State) {
    this.land = land;
    this.state = state;
  }

  node(name: string): NodeChoice | undefined {
    return this.land.nodeChoices[this.state.nodes[this.land.nodes.indexOf(name)] ?? 0];
  }

  wish(owner: string): Wish | undefined {
    return this.land.wishes[this.state.egressIPs[this.land.egressIPs.indexOf(owner)] ?? 0];
  }

  wants(owner: string): readonly string[] {
    const wish = this.wish(owner);
    if (wish === undefined) return [];
    return wantsOf(this.land, this.land.egressIPs.indexOf(owner), wish);
  }

  /** Whether the node is good for it, whoever else is there. */
  mayHost({ owner, address }: Seat, name: string): boolean {
    const node = this.node(name);
    const wish = this.wish(owner);
    if (node === undefined || wish === undefined || !node.ready) return false;
    if (!this.wants(owner).includes(address)) return false;
    if (wish.zone !== '' && wish.zone !== node.zone) return false;
    return address.startsWith('10.0.') || node.secondary;
  }

  room(name: string): number {
    return this.land.cloud ? (this.node(name)?.capacity ?? 0) : Infinity;
  }
}

/**
 * What is wrong with `after`, decided in `state` when `before` was the case; undefined = nothing.
 */
export function judge(land: Land, state: State, before: Homes, after: Homes): string | undefined {
  const picture = new Picture(land, state);
  return (
    wrong(picture, before, after) ?? moved(picture, before, after) ?? short(picture, before, after)
  );
}

/** A node whose room has shrunk keeps what it has, but gets nothing more. */
function wrong(picture: Picture, before: Homes, after: Homes): string | undefined {
  const taken = new Set<string>();
  const loads = new Map<string, number>();
  for (const [key, node] of after) {
    const seat = seatOf(key);
    if (!picture.mayHost(seat, node)) return `${key} is on ${node}, which is not good for it`;
    for (const one of [seat.address, `${seat.owner} on ${node}`]) {
      if (taken.has(one)) return `${one} twice`;
      taken.add(one);
    }
    const load = (loads.get(node) ?? 0) + 1;
    loads.set(node, load);
  }
  for (const [key, node] of after)
    if (before.get(key) !== node && (loads.get(node) ?? 0) > picture.room(node))
      return `${key} comes to ${node}, which has no room`;
  return undefined;
}

const isGood = (picture: Picture, [key, node]: readonly [string, string]): boolean =>
  picture.mayHost(seatOf(key), node);

/** What was good stays. */
function moved(picture: Picture, before: Homes, after: Homes): string | undefined {
  const good = [...before].filter((home) => isGood(picture, home));
  for (const [key, node] of good) {
    if (after.get(key) !== node) return `${key} left ${node}, which was good for it`;
  }
  return undefined;
}

/** As many as can be have a node, with what was good where it was. */
function short(picture: Picture, before: Homes, after: Homes): string | undefined {
  const { land } = picture;
  const owned = new Map([...after.keys()].map((key) => [seatOf(key).address, seatOf(key).owner]));
  const kept = new Map([...after].filter(([key, node]) => before.get(key) === node));
  const open = land.egressIPs.flatMap((owner) =>
    picture
      .wants(owner)
      .filter((address) => (owned.get(address) ?? owner) === owner)
      .map((address) => `${owner} ${address}`)
      .filter((key) => !kept.has(key)),
  );
  const best = most(picture, open, kept);
  const has = open.filter((key) => after.has(key)).length;
  return has < best ? `${has} of ${open.join(', ')} have a node, and ${best} could` : undefined;
}

/** The most of them that find a node beside those who have one, by trying all. */
function most(picture: Picture, open: readonly string[], homes: Map<string, string>): number {
  const [key, ...rest] = open;
  if (key === undefined) return 0;
  const seat = seatOf(key);
  const held = [...homes.keys()].some((one) => seatOf(one).address === seat.address);
  let best = most(picture, rest, homes);
  if (held) return best;
  for (const node of picture.land.nodes) {
    if (best === open.length) break;
    if (!picture.mayHost(seat, node)) continue;
    const there = [...homes].filter(([, other]) => other === node);
    if (there.length >= picture.room(node)) continue;
    if (there.some(([one]) => seatOf(one).owner === seat.owner)) continue;
    homes.set(key, node);
    best = Math.max(best, 1 + most(picture, rest, homes));
    homes.delete(key);
  }
  return best;
}
