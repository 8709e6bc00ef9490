/** The report of `sluice status` as tables, and as records for machines. */
import { age } from './age.ts';
import { headroomText } from './plan-headroom.ts';
import { bgpText } from './status-bgp.ts';
import type { AddressReport, EgressIPReport, StatusReport } from './status-shape.ts';
import type { RoomReport } from './status-room.ts';
import { NONE, table } from './table.ts';
import { printable } from './terminal.ts';

export interface TextAsk {
  readonly output: string;
  readonly headers: boolean;
  readonly place: string;
}

/** Tables as kubectl prints them. Without heads only the rows of the addresses, for scripts. */
export function textOf(report: StatusReport, ask: TextAsk, nowMs: number): string {
  const wide = ask.output === 'wide';
  const rows = report.egressIPs.flatMap((one) => rowsOf(one, wide, nowMs));
  if (!ask.headers) return table(undefined, rows);
  const heads = ['EGRESSIP', 'SELECTOR', 'ADDRESS', 'NODE', 'SINCE', 'STATE'];
  const rooms = table(
    ['ROOM', 'STATE', 'SAID', 'LAST', 'BEHIND'],
    report.rooms.map((room) => roomRow(room, nowMs)),
  );
  const addresses =
    rows.length === 0
      ? 'There is no EgressIP.\n'
      : table(wide ? [...heads, 'MARK', 'PREVIOUS', 'REASON'] : heads, rows);
  const headroom = rows.length === 0 ? '' : headroomText(report.headroom);
  const doubt = report.isolated === '' ? '' : `PROBER  isolated, holds: ${report.isolated}\n`;
  const bgp = report.bgp === undefined ? '' : `\n${bgpText(report.bgp, nowMs)}`;
  return `${headLine(report, ask.place)}\n${doubt}\n${rooms}\n${addresses}${headroom}${bgp}`;
}

function headLine(report: StatusReport, place: string): string {
  const { events, rooms, probing, egressIPs } = report;
  // Who is asked for nothing has nothing to say.
  const idle = ({ room, state }: RoomReport): boolean =>
    state === 'silent' && room !== 'watcher' && egressIPs.length === 0;
  const late = rooms.filter((room) => room.state !== 'ready' && !idle(room));
  const words = late.map(({ room, state }) => `${room} is ${state}`).join(', ');
  const parts = [place, `${group(events)} events, ${words || 'all rooms caught up'}`];
  return ['CLUSTER', ...parts, `probes ${probing ?? 'not known yet'}`].join('  ');
}

/** 18442 → `18,442`. */
const group = (number: number): string => number.toLocaleString('en-US');

function roomRow({ room, state, said, lastMs, behind }: RoomReport, nowMs: number): string[] {
  const last = lastMs === undefined ? NONE : age(nowMs - lastMs);
  return [room, state, group(said), last, behind === undefined ? NONE : group(behind)];
}

function rowsOf(one: EgressIPReport, wide: boolean, nowMs: number): string[][] {
  const { name, selector, mark, addresses } = one;
  const rows = addresses.map((address) => cellsOf(address, nowMs));
  const all = rows.length > 0 ? rows : [[NONE, NONE, NONE, 'NoAddress']];
  const more = ({ previous, reason }: Partial<AddressReport>): string[] =>
    wide ? [mark === 0 ? NONE : String(mark), previous || NONE, printable(reason ?? '')] : [];
  return all.map((cells, index) => [
    name,
    printable(selector),
    ...cells,
    ...more(addresses[index] ?? {}),
  ]);
}

function cellsOf({ address, node, sinceMs, state }: AddressReport, nowMs: number): string[] {
  const since = sinceMs === undefined ? NONE : age(nowMs - sinceMs);
  return [printable(address), node || NONE, since, printable(state)];
}

/** The report with times as RFC 3339 writes them; what is not known is left out. */
export function recordOf(report: StatusReport): object {
  const { events, probing, rooms, egressIPs, isolated, headroom, bgp, fine } = report;
  return {
    fine,
    events,
    ...(probing !== undefined && { probing }),
    ...(isolated !== '' && { proberIsolated: isolated }),
    rooms: rooms.map(({ lastMs, behind, ...room }) => ({
      ...room,
      ...(lastMs !== undefined && { last: timeOf(lastMs) }),
      ...(behind !== undefined && { behind }),
    })),
    egressIPs: egressIPs.map(({ addresses, ...egressIP }) => ({
      ...egressIP,
      addresses: addresses.map(({ sinceMs, ...address }) => ({
        ...address,
        ...(sinceMs !== undefined && { since: timeOf(sinceMs) }),
      })),
    })),
    ...(headroom !== undefined && { headroom: headroom.losses }),
    ...(bgp !== undefined && { bgp }),
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
