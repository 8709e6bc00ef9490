/** `sluice verify`: does everything on the log, and in the cluster, follow from what was seen? */
import type { Heard } from '../core/event.ts';
import { assigner } from '../services/assigner/room.ts';
import type { Settings } from '../services/assigner/input.ts';
import { bgp } from '../services/bgp/room.ts';
import { exit } from './failure.ts';
import type { Readable } from './read.ts';
import type { Terminal } from './terminal.ts';
import type { Finding } from './verify-finding.ts';
import type { Listed } from './verify-listed.ts';
import { pictureOf } from './verify-picture.ts';
import { readAll } from './verify-read.ts';
import { type Verified, Verification } from './verify-room.ts';
import { GRACE_MS, type Statuses, statusesOf } from './verify-status.ts';
import { recordOf, textOf } from './verify-text.ts';
import { RoutingWrites } from './verify-routing-writes.ts';
import { Writes } from './verify-writes.ts';

export interface VerifyAsk {
  /** In milliseconds since 1970; undefined = all that the log has. */
  readonly sinceMs: number | undefined;
  readonly output: 'text' | 'json';
  readonly settings: Settings;
  /** Reads from the cluster what Sluice writes; undefined = as the watcher saw it last. */
  readonly cluster: (() => Promise<readonly Listed[]>) | undefined;
  /** Lets so many milliseconds pass. */
  readonly pause: (ms: number) => Promise<void>;
}

export interface VerifyReport {
  readonly rooms: readonly Verified[];
  /** Writes that the cluster accepted. */
  readonly writes: number;
  readonly statuses: Statuses;
  readonly fromCluster: boolean;
  readonly findings: readonly Finding[];
}

/** Exit code 0 when all is explained, else 1. */
export async function verify(log: Readable, ask: VerifyAsk, terminal: Terminal): Promise<number> {
  const rooms = [new Verification(assigner(ask.settings)), new Verification(bgp())];
  const writes = [new Writes(), new RoutingWrites()] as const;
  const listener = {
    begin: (heard: Heard): void => rooms.forEach((room) => room.begin(heard)),
    hear: (heard: Heard): void => [...rooms, ...writes].forEach((one) => one.hear(heard)),
  };
  await readAll(log, ask.sinceMs, listener, terminal.signal);
  for (const one of [...rooms, ...writes]) one.end();
  const statuses = await standing(log, ask, terminal);
  const findings = [...rooms, ...writes, statuses].flatMap((one) => one.findings);
  const report: VerifyReport = {
    rooms: rooms.map(({ verified }) => verified),
    writes: writes[0].count + writes[1].count,
    statuses,
    fromCluster: ask.cluster !== undefined,
    findings: findings.toSorted((a, b) => (a.atMs ?? Infinity) - (b.atMs ?? Infinity)),
  };
  terminal.out(
    ask.output === 'json'
      ? `${JSON.stringify(recordOf(report), null, 2)}\n`
      : textOf(report, terminal.nowMs()),
  );
  return findings.every(({ kind }) => kind === 'unsure') ? exit.fine : exit.notFine;
}

/** What the cluster has changes while it is read: only what stays so is told. */
async function standing(log: Readable, ask: VerifyAsk, terminal: Terminal): Promise<Statuses> {
  const look = async (): Promise<Statuses> => {
    const listed = await ask.cluster?.();
    return statusesOf(await pictureOf(log, listed, terminal.signal), terminal.nowMs());
  };
  const first = await look();
  if (ask.cluster === undefined || first.findings.length === 0) return first;
  await ask.pause(GRACE_MS);
  const second = await look();
  const known = new Set(first.findings.map(keyOf));
  const findings = second.findings.filter((one) => known.has(keyOf(one)));
  const news = second.findings.length - findings.length;
  return { ...second, findings, underWay: second.underWay + news };
}

const keyOf = ({ object, what }: Finding): string => `${object} ${what}`;
