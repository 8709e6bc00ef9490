/** `sluice diff`: what the cluster has, and what Sluice would write instead. */
import { speakers } from '../core/event.ts';
import { count } from '../core/say.ts';
import { allDifferences, type Difference } from '../services/publisher/difference.ts';
import { publisher } from '../services/publisher/room.ts';
import { exit, Failure } from './failure.ts';
import { readToEnd, type Readable } from './read.ts';
import { NONE, table } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface DiffAsk {
  /** One EgressIP; undefined = all. */
  readonly name: string | undefined;
  readonly output: 'table' | 'json';
}

/**
 * Reads the log as the publisher does, and tells the differences. Exit code 0 when there are none,
 * else 1. Throws Failure 64 when the named EgressIP is not in the cluster.
 */
export async function diff(log: Readable, ask: DiffAsk, terminal: Terminal): Promise<number> {
  const room = publisher({ mode: 'shadow' });
  const world = room.fresh();
  const last = { streams: speakers, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, terminal.signal)) room.fold(world, read);
  const thing = ask.name === undefined ? undefined : world.egressIPs.get(ask.name);
  if (ask.name !== undefined && (thing === undefined || thing.uid === ''))
    throw new Failure(exit.usage, `there is no EgressIP ${ask.name}; see sluice status`);
  const all = allDifferences(world);
  const own = thing?.wanted?.items.map(({ egressIP }) => egressIP) ?? [];
  const differences =
    ask.name === undefined ? all : all.filter((one) => isOf(one, ask.name ?? '', own));
  terminal.out(ask.output === 'json' ? jsonOf(differences) : textOf(differences, ask.name));
  return differences.length === 0 ? exit.fine : exit.notFine;
}

/** Its own differences, and those of the claims of its addresses. */
const isOf = (one: Difference, name: string, addresses: readonly string[]): boolean =>
  one.kind === 'egressip' ? one.name === name : addresses.includes(one.what);

const jsonOf = (differences: readonly Difference[]): string =>
  `${JSON.stringify({ differences }, null, 2)}\n`;

function textOf(differences: readonly Difference[], name: string | undefined): string {
  const of = name === undefined ? '' : ` on EgressIP ${name}`;
  if (differences.length === 0) return `The cluster has what Sluice would write${of}.\n`;
  const rows = differences.map(({ kind, name: object, what, cluster, sluice }) => [
    `${kind}/${object}`,
    what,
    cluster || NONE,
    sluice || NONE,
  ]);
  const objects = new Set(rows.map(([object]) => object)).size;
  const total = `${count(differences.length, 'difference')} on ${count(objects, 'object')}.\n`;
  return `${table(['OBJECT', 'WHAT', 'CLUSTER', 'SLUICE'], rows)}${total}`;
}
