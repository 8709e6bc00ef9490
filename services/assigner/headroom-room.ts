/** Whether many addresses that lose their nodes at once surely find room: a sum, not a trial. */
import type { Claim } from './claim.ts';
import { openTo } from './headroom-nearby.ts';
import type { Host } from './host.ts';
import type { Slices } from './plan-rest.ts';
import type { World } from './world.ts';

export interface Displaced {
  readonly claim: Claim;
  readonly text: string;
  /** How many addresses of the claim are displaced, itself among them. */
  readonly siblings: number;
}

/** Addresses of one selector, family and networks: the same nodes are open to them. */
interface Group {
  readonly members: Displaced[];
  readonly family: 4 | 6;
  /** The nodes outside of what is lost, but for siblings. */
  readonly hosts: readonly Host[];
}

/**
 * True is a proof: even if all who may take room on the same nodes did so before, and siblings had
 * the roomiest ones, a place is left for each. False proves nothing.
 */
export function* surelyFit(
  world: World,
  lost: ReadonlySet<Host>,
  displaced: readonly Displaced[],
): Slices<boolean> {
  const groups = new Map<string, Group>();
  for (const one of displaced) {
    const key = keyOf(world, one);
    const known = groups.get(key);
    known?.members.push(one);
    if (known !== undefined) continue;
    groups.set(key, groupOf(world, lost, one));
    yield;
  }
  for (const rivals of rivalsOf([...groups.values()])) {
    yield;
    const seekers = rivals.reduce((sum, { members }) => sum + members.length, 0);
    if (!rivals.every((group) => fits(group, seekers))) return false;
  }
  return true;
}

function keyOf(world: World, { claim, text }: Displaced): string {
  const address = claim.wants.get(text);
  const networks = address === undefined ? [] : world.pools.networksOf(address);
  const texts = networks.map((network) => `${network.kind} ${network.text}`);
  return [claim.use?.selector.text, text.includes(':') ? 6 : 4, ...texts].join('\n');
}

function groupOf(world: World, lost: ReadonlySet<Host>, one: Displaced): Group {
  const hosts = openTo(world, one.claim, one.text, world.hosts.size, lost);
  return { members: [one], family: one.text.includes(':') ? 6 : 4, hosts };
}

/** Groups that share nodes, directly or by others between them, stand together. */
function rivalsOf(groups: readonly Group[]): readonly (readonly Group[])[] {
  const partyOf = new Map<Host, Group[]>();
  const parties = new Set<Group[]>();
  for (const group of groups) {
    const met = new Set(group.hosts.flatMap((host) => [partyOf.get(host) ?? []]));
    const party = [group, ...[...met].flat()];
    for (const old of met) parties.delete(old);
    parties.add(party);
    for (const { hosts } of party) for (const host of hosts) partyOf.set(host, party);
  }
  return [...parties];
}

function fits({ members, family, hosts }: Group, seekers: number): boolean {
  const rooms = hosts.map((host) => Math.min(roomOn(host, family), seekers));
  const total = rooms.reduce((sum, room) => sum + room, 0);
  const most = rooms.reduce((max, room) => Math.max(max, room), 0);
  return members.every(
    ({ claim }) => claim.rests.length === 0 && total - claim.wants.size * most >= seekers,
  );
}

/** Who is there, comes or goes takes room; somebody counted twice only makes the proof harder. */
function roomOn({ capacity, tenants, cloudAddresses }: Host, family: 4 | 6): number {
  const used = { 4: 0, 6: 0 };
  for (const text of new Set([...tenants.keys(), ...cloudAddresses.keys()]))
    used[text.includes(':') ? 6 : 4]++;
  const own = family === 4 ? capacity.ipv4 : capacity.ipv6;
  return Math.max(0, Math.min(capacity.ip - used[4] - used[6], own - used[family]));
}
