/** The report of `sluice verify` as a page of text, and as a record for machines. */
import { count, list } from '../core/say.ts';
import { moment } from './age.ts';
import { table } from './table.ts';
import { printable } from './terminal.ts';
import type { VerifyReport } from './verify.ts';
import type { Verified } from './verify-room.ts';

/** More would be read by nobody; `-o json` has them all. */
const MOST_ROWS = 100;

export function textOf(report: VerifyReport, nowMs: number): string {
  const { rooms, findings } = report;
  const lines = [...rooms.map((room) => roomLine(room, nowMs)), ...writeLines(report)];
  const unsure = findings.filter(({ kind }) => kind === 'unsure').length;
  const sure = findings.length - unsure;
  const end =
    sure === 0
      ? `Everything ${unsure === 0 ? '' : 'else '}follows from what had been seen.`
      : `${count(sure, 'thing')} that nothing explains.`;
  return `${findingsTable(report, nowMs)}${table(undefined, lines)}${end}\n`;
}

function findingsTable({ findings }: VerifyReport, nowMs: number): string {
  if (findings.length === 0) return '';
  const rows = findings.slice(0, MOST_ROWS).map(({ kind, where, atMs, object, what }) => {
    return [where, atMs === undefined ? 'now' : moment(atMs, nowMs), object, kind, printable(what)];
  });
  const more = findings.length - rows.length;
  const rest = more === 0 ? '' : `${more} more: -o json\n`;
  return `${table(['WHERE', 'TIME', 'OBJECT', 'FOUND', 'WHAT'], rows)}${rest}\n`;
}

function roomLine({ room, decisions, lives, older, from }: Verified, nowMs: number): string[] {
  const since = from === undefined ? '' : ` since ${moment(from.atMs, nowMs)}`;
  const begun =
    from === undefined ? '' : ` (${room} ${from.sequence}), ${count(lives, 'life', 'lives')}`;
  const before = older === 0 ? '' : `; ${older} before that cannot be compared`;
  return [room, `${count(decisions, 'decision')} replayed${since}${begun}${before}`];
}

function writeLines({ writes, statuses, fromCluster }: VerifyReport): string[][] {
  const { egressIPs, claims, routing, underWay, shadow } = statuses;
  const objects = [
    count(egressIPs, 'EgressIP'),
    ...(claims === 0 ? [] : [count(claims, 'CloudPrivateIPConfig')]),
    ...(routing === 0 ? [] : [count(routing, 'object of BGP routing', 'objects of BGP routing')]),
  ];
  const read = fromCluster ? 'as the cluster has them' : 'as the watcher saw them last';
  const notes = [
    underWay === 0 ? '' : `; ${count(underWay, 'write')} may be on the way`,
    shadow === 0 ? '' : `; ${shadow} in shadow mode left out`,
  ];
  return [
    ['publisher', `${count(writes, 'write')} compared with the decisions`],
    ['cluster', `${list(objects)} ${read}${notes.join('')}`],
  ];
}

/** Times as RFC 3339 writes them. */
export function recordOf({ rooms, writes, statuses, fromCluster, findings }: VerifyReport): object {
  const time = (atMs: number | undefined): string | undefined =>
    atMs === undefined ? undefined : new Date(atMs).toISOString();
  const { findings: _, ...counts } = statuses;
  return {
    rooms: rooms.map(({ room, decisions, lives, older, from }) => {
      return { room, decisions, lives, older, from: from?.sequence, since: time(from?.atMs) };
    }),
    writes,
    statuses: { from: fromCluster ? 'cluster' : 'watcher', ...counts },
    findings: findings.map(({ atMs, ...finding }) => ({ time: time(atMs), ...finding })),
  };
}
