/** Whether the statuses in the cluster are as the last decisions say. */
import type { EgressIP, Fact } from '../core/fact.ts';
import { speakers } from '../core/event.ts';
import { allDifferences, type Difference } from '../services/publisher/difference.ts';
import { publisher } from '../services/publisher/room.ts';
import { readToEnd, type Readable } from './read.ts';
import { NONE } from './table.ts';
import type { Finding } from './verify-finding.ts';

export interface Statuses {
  readonly findings: readonly Finding[];
  readonly objects: number;
  /** Decided so shortly ago that the write may be on its way. */
  readonly underWay: number;
  /** Objects that are not ours to write yet. */
  readonly shadow: number;
}

/** So long a write may take before its absence is told. */
const GRACE_MS = 10_000;

/** `seen` = the EgressIPs as the cluster has them, or undefined: as the watcher saw them last. */
export async function statusesOf(
  log: Readable,
  seen: readonly EgressIP[] | undefined,
  nowMs: number,
  signal: AbortSignal,
): Promise<Statuses> {
  const room = publisher({ mode: 'shadow' });
  const world = room.fresh();
  const shadow = new Set<string>();
  const last = { streams: speakers, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, signal)) {
    room.fold(world, read);
    const { event } = read;
    if (event.kind === 'EgressIPPublished' && event.shadow) shadow.add(event.name);
  }
  const known = [...world.egressIPs.values()].filter(({ uid }) => uid !== '');
  for (const event of seen === undefined ? [] : factsOf(seen, known))
    room.fold(world, asSeen(event));
  const things = [...world.egressIPs.values()].filter(({ uid }) => uid !== '');
  const ours = things.filter(({ name }) => !shadow.has(name));
  const isOurs = ({ kind, name }: Difference): boolean => kind === 'egressip' && !shadow.has(name);
  const decidedMs = (name: string): number => world.egressIPs.get(name)?.wanted?.atMs ?? 0;
  const differences = allDifferences(world).filter(isOurs);
  const late = differences.filter(({ name }) => decidedMs(name) <= nowMs - GRACE_MS);
  const nobodys = ours.filter(({ wanted, items }) => wanted === undefined && items.length > 0);
  return {
    findings: [
      ...nobodys.map(({ name }) => found(`egressip/${name}`, 'has a status that nobody decided')),
      ...late.map((one) => found(`${one.kind}/${one.name}`, wordsOf(one))),
    ],
    objects: ours.length,
    underWay: differences.length - late.length,
    shadow: shadow.size,
  };
}

/** What the watcher would say of a cluster with these, if it had seen those before. */
function factsOf(
  seen: readonly EgressIP[],
  known: readonly { readonly name: string; readonly uid: string }[],
): readonly Fact[] {
  const names = new Set(seen.map(({ name }) => name));
  const gone = known.filter(({ name }) => !names.has(name));
  return [
    ...gone.map(({ name, uid }): Fact => ({ kind: 'EgressIPGone', name, uid })),
    ...seen.map((egressIP): Fact => ({ kind: 'EgressIPSeen', egressIP })),
  ];
}

/** Later than all that was said. */
const asSeen = (event: Fact) =>
  ({
    stream: 'watcher',
    sequence: Number.MAX_SAFE_INTEGER,
    atMs: 0,
    causes: [],
    said: '',
    event,
  }) as const;

const found = (object: string, what: string): Finding => {
  return { kind: 'status', where: 'cluster', atMs: undefined, object, what };
};

const wordsOf = ({ what, cluster, sluice }: Difference): string =>
  `${what}: the cluster has ${cluster || NONE}, decided is ${sluice || NONE}`;
