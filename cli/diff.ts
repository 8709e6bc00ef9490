/** `sluice diff`: what the cluster has, and what Sluice would write instead. */
import { speakers } from '../core/event.ts';
import { count } from '../core/say.ts';
import { allDifferences, type Difference } from '../services/publisher/difference.ts';
import { publisher } from '../services/publisher/room.ts';
import { targetOf } from './diff-target.ts';
import { exit } from './failure.ts';
import { readToEnd, type Readable } from './read.ts';
import { NONE, table } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface DiffAsk {
  /** An EgressIP, `cudnbgpconfig/NAME` or `cudnbgprouting/NAME`; undefined = all. */
  readonly name: string | undefined;
  readonly output: 'table' | 'json';
}

/**
 * Reads the log as the publisher does, and tells the differences. Exit code 0 when there are none,
 * else 1. Throws Failure 64 when the named object is not in the cluster.
 */
export async function diff(log: Readable, ask: DiffAsk, terminal: Terminal): Promise<number> {
  const room = publisher({ mode: 'shadow' });
  const world = room.fresh();
  const last = { streams: speakers, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, terminal.signal)) room.fold(world, read);
  const target = ask.name === undefined ? undefined : targetOf(world, ask.name);
  const all = allDifferences(world);
  const differences = target === undefined ? all : all.filter(target.has);
  terminal.out(ask.output === 'json' ? jsonOf(differences) : textOf(differences, target?.title));
  return differences.length === 0 ? exit.fine : exit.notFine;
}

const jsonOf = (differences: readonly Difference[]): string =>
  `${JSON.stringify({ differences }, null, 2)}\n`;

function textOf(differences: readonly Difference[], title: string | undefined): string {
  const of = title === undefined ? '' : ` on ${title}`;
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
