/** The sessions that are wanted, node by neighbour, and which of them are established. */
import type { Session } from '../../core/bgp-fact.ts';
import { count, list } from '../../core/say.ts';
import { bad, good, type Judged, unknown, type Waits } from './condition.ts';
import { type Group, nodesOf, peerOf } from './group.ts';
import type { World } from './world.ts';

const TYPE = 'SessionsEstablished';

/** A zone with nodes that has no session for so long is not just coming up. */
export const ZONE_DOWN_MS = 60_000;
/** So many sessions that are down are named. */
const NAMED = 50;

export interface Line {
  readonly node: string;
  readonly address: string;
  readonly remoteASN: number;
  /** `stale`: it is told to be established, but by a FRR that is not ready. */
  readonly state: 'established' | 'down' | 'missing' | 'stale';
  /** As FRR says it, or ''. */
  readonly bgp: string;
  readonly bfd: string;
}

export interface ZoneSessions {
  readonly title: string;
  readonly nodes: readonly string[];
  readonly lines: readonly Line[];
}

const pairOf = (node: string, peer: string): string => `${node} ${peer}`;

/** `ready` are the nodes whose FRR is: of a dead one the last words stay for ever (facts 2.5). */
export function sessionsOf(
  world: World,
  groups: readonly Group[],
  ready: ReadonlySet<string>,
): readonly ZoneSessions[] {
  const told = new Map<string, Session>();
  for (const session of world.sessions.values()) {
    if (session.vrf !== '') continue;
    const pair = pairOf(session.node, session.peer);
    // For a moment there may be two of one: the better one is the newer one.
    const better = session.bgpStatus === 'Established' || !told.has(pair);
    if (better) told.set(pair, session);
  }
  return groups.map((group) => {
    const nodes = nodesOf(world, group);
    const lines = nodes.flatMap((node) =>
      group.neighbors.map(({ address, remoteASN }): Line => {
        const session = told.get(pairOf(node, peerOf(address)));
        const { bgpStatus: bgp = '', bfdStatus: bfd = '' } = session ?? {};
        return { node, address, remoteASN, state: stateOf(session, ready.has(node)), bgp, bfd };
      }),
    );
    return { title: group.title, nodes, lines };
  });
}

function stateOf(session: Session | undefined, ready: boolean): Line['state'] {
  if (session === undefined || session.bgpStatus === '') return 'missing';
  if (session.bgpStatus !== 'Established') return 'down';
  return ready ? 'established' : 'stale';
}

const isUp = ({ state }: Line): boolean => state === 'established';

/** It has nodes and neighbours, and no session at all. */
export const isDown = ({ lines }: ZoneSessions): boolean => lines.length > 0 && !lines.some(isUp);

/** The zones that are down, and those that have been for too long. */
export function downZones(
  zones: readonly ZoneSessions[],
  waits: Waits,
): { readonly down: readonly string[]; readonly long: readonly string[] } {
  const down = zones.filter(isDown).map(({ title }) => title);
  return { down, long: down.filter((title) => waits.isOver(`zone/${title}`, ZONE_DOWN_MS)) };
}

export function judgeSessions(
  world: World,
  zones: readonly ZoneSessions[],
  long: readonly string[],
): Judged {
  if (!world.isServed('bgpsessionstates'))
    return unknown(TYPE, 'NotServed', 'this frr-k8s does not tell how its sessions are');
  // Only where they are found in a cloud: a config without that names a zone at least.
  if (zones.length === 0) return unknown(TYPE, 'WaitingForNeighbors', 'no neighbor is known yet');
  const lines = zones.flatMap((zone) => zone.lines);
  if (lines.length === 0)
    return good(TYPE, 'NoRouterNodes', 'no node is selected as a router: nothing to establish');
  const downs = lines.filter((line) => !isUp(line));
  const sum = count(lines.length, 'session');
  if (downs.length === 0) return good(TYPE, 'Established', `${sum} established`);
  const names = list(downs.map(wordsOf), NAMED);
  const message = `${lines.length - downs.length} of ${sum} established; ${names}`;
  if (long.length === 0) return { ...bad(TYPE, 'SessionsDown', message), phase: 'Ready' };
  return bad(TYPE, 'ZoneDown', `no session for a minute in ${list(long, NAMED)}; ${message}`);
}

/** Without the states in between: Idle and Active take turns while nobody answers. */
function wordsOf({ node, address, state }: Line): string {
  const words = {
    down: 'is down',
    missing: 'is not reported',
    stale: 'is not known, FRR is not ready there',
    established: 'is established',
  };
  return `${node} to ${address} ${words[state]}`;
}

export const establishedIn = (zones: readonly ZoneSessions[]): number =>
  zones.reduce((sum, { lines }) => sum + lines.filter(isUp).length, 0);
