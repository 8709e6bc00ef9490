/** `sluice verify`: does everything on the log, and in the cluster, follow from what was seen? */
import type { EgressIP } from '../core/fact.ts';
import type { Heard } from '../core/event.ts';
import { assigner } from '../services/assigner/room.ts';
import type { Settings } from '../services/assigner/input.ts';
import { bgp } from '../services/bgp/room.ts';
import { exit } from './failure.ts';
import type { Readable } from './read.ts';
import type { Terminal } from './terminal.ts';
import type { Finding } from './verify-finding.ts';
import { readAll } from './verify-read.ts';
import { type Verified, Verification } from './verify-room.ts';
import { type Statuses, statusesOf } from './verify-status.ts';
import { recordOf, textOf } from './verify-text.ts';
import { Writes } from './verify-writes.ts';

export interface VerifyAsk {
  /** In milliseconds since 1970; undefined = all that the log has. */
  readonly sinceMs: number | undefined;
  readonly output: 'text' | 'json';
  readonly settings: Settings;
  /** Reads the EgressIPs from the cluster; undefined = as the watcher saw them last. */
  readonly cluster: (() => Promise<readonly EgressIP[]>) | undefined;
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
  const writes = new Writes();
  const listener = {
    begin: (heard: Heard): void => rooms.forEach((room) => room.begin(heard)),
    hear: (heard: Heard): void => [...rooms, writes].forEach((one) => one.hear(heard)),
  };
  await readAll(log, ask.sinceMs, listener, terminal.signal);
  for (const one of [...rooms, writes]) one.end();
  const seen = await ask.cluster?.();
  const statuses = await statusesOf(log, seen, terminal.nowMs(), terminal.signal);
  const findings = [...rooms, writes, statuses].flatMap((one) => one.findings);
  const report: VerifyReport = {
    rooms: rooms.map(({ verified }) => verified),
    writes: writes.count,
    statuses,
    fromCluster: seen !== undefined,
    findings: findings.toSorted((a, b) => (a.atMs ?? Infinity) - (b.atMs ?? Infinity)),
  };
  terminal.out(
    ask.output === 'json'
      ? `${JSON.stringify(recordOf(report), null, 2)}\n`
      : textOf(report, terminal.nowMs()),
  );
  return findings.every(({ kind }) => kind === 'unsure') ? exit.fine : exit.notFine;
}
