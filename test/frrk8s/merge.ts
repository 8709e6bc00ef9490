/** How frr-k8s joins what several objects say of one VRF, and what it does not join. */
import type { Family } from './family.ts';
import { Unacceptable } from './unacceptable.ts';

export interface MergedNeighbor {
  /** The address or interface, and the VRF where it is not the default one. */
  readonly id: string;
  readonly peer: string;
  readonly asn: string;
  readonly port: number;
  readonly source: string;
  readonly password: string;
  /** '' = without BFD. */
  readonly bfdProfile: string;
  readonly multihop: boolean;
  readonly family: Family;
  /** In seconds, as the next two. */
  readonly hold: number;
  readonly keepalive: number;
  readonly connect: number;
  readonly localPrefs: ReadonlyMap<string, number>;
}

export interface MergedRouter {
  /** '' = the default one. */
  readonly vrf: string;
  readonly asn: number;
  readonly id: string;
  readonly neighbors: readonly MergedNeighbor[];
}

/** Two routers of one VRF as one. Throws Unacceptable. */
export function mergeRouters(a: MergedRouter, b: MergedRouter): MergedRouter {
  const { vrf } = a;
  if (a.asn !== b.asn)
    throw new Unacceptable(`different asns (${a.asn} != ${b.asn}) specified for same vrf: ${vrf}`);
  if (a.id !== '' && b.id !== '' && a.id !== b.id)
    throw new Unacceptable(
      `different router ids (${a.id} != ${b.id}) specified for same vrf: ${vrf}`,
    );
  const neighbors = mergeNeighbors([...a.neighbors, ...b.neighbors]);
  return { vrf, asn: a.asn, id: a.id || b.id, neighbors };
}

/** One for each id, in order of id. Throws Unacceptable. */
export function mergeNeighbors(all: readonly MergedNeighbor[]): readonly MergedNeighbor[] {
  const merged = new Map<string, MergedNeighbor>();
  for (const neighbor of all) {
    const first = merged.get(neighbor.id);
    merged.set(neighbor.id, first ? joined(first, neighbor) : neighbor);
  }
  return [...merged.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What must be equal, in the order in which it is looked at, and what is said when it is not. */
const equal: readonly (readonly [keyof MergedNeighbor, string])[] = [
  ['asn', 'multiple asns'],
  ['port', 'multiple ports'],
  ['source', 'multiple source addresses'],
  ['password', 'multiple passwords'],
  // From 0.0.23 on, an object without a profile goes with any.
  ['bfdProfile', 'multiple bfd profiles'],
  ['multihop', 'conflicting ebgp-multihop'],
  ['family', 'conflicting advertiseDualStack'],
  ['hold', 'multiple hold times'],
  ['keepalive', 'multiple keepalive times'],
  ['connect', 'multiple connect times'],
];

function joined(first: MergedNeighbor, other: MergedNeighbor): MergedNeighbor {
  const differs = equal.find(([field]) => first[field] !== other[field]);
  if (differs !== undefined) throw new Unacceptable(`${differs[1]} specified for ${first.id}`);
  for (const [prefix, pref] of other.localPrefs) {
    const known = first.localPrefs.get(prefix) ?? pref;
    if (known === pref) continue;
    const vrf = first.id.slice(first.peer.length + 1);
    throw new Unacceptable(
      `could not merge outgoing for neighbor ${first.peer} vrf ${vrf}, err: ` +
        `multiple local prefs (${known} != ${pref}) specified for prefix ${prefix}`,
    );
  }
  return { ...first, localPrefs: new Map([...first.localPrefs, ...other.localPrefs]) };
}
