/** A plan as a sentence and a table, and as a record for machines. */
import { count } from '../core/say.ts';
import type { Plan, Shift } from '../services/assigner/plan.ts';
import { NONE, table } from './table.ts';
import { printable } from './terminal.ts';

/** `12 addresses move, 1 has no node, 11 status writes.`, then a row for each address. */
export function textOf({ shifts, statusWrites, undecided }: Plan): string {
  const rows = shifts.map(rowOf);
  const behind =
    undecided === 0
      ? ''
      : `The assigner has ${count(undecided, 'decision')} yet to say; the plan begins there.\n`;
  const heads = ['ADDRESS', 'EGRESSIP', 'FROM', 'TO', 'BECAUSE'];
  return `${headLine(shifts, statusWrites)}\n${behind}${rows.length > 0 ? table(heads, rows) : ''}`;
}

function headLine(shifts: readonly Shift[], statusWrites: number): string {
  const number = (...whats: readonly Shift['what'][]): number =>
    shifts.filter(({ what }) => whats.includes(what)).length;
  const said: readonly (readonly [number, string, string])[] = [
    [number('placed'), 'gets a node', 'get a node'],
    [number('released'), 'is released', 'are released'],
    [number('homeless', 'refused'), 'has no node', 'have no node'],
  ];
  const moves = number('moves');
  const first =
    moves === 0 ? 'Nothing moves' : `${count(moves, 'address', 'addresses')} ${verb(moves)}`;
  const others = said.flatMap(([times, one, many]) =>
    times === 0 ? [] : [`${times} ${times === 1 ? one : many}`],
  );
  return `${[first, ...others, count(statusWrites, 'status write')].join(', ')}.`;
}

const verb = (times: number): string => (times === 1 ? 'moves' : 'move');

function rowOf({ address, egressIP, from, to, because }: Shift): string[] {
  return [address, egressIP, from || NONE, to || NONE, printable(because) || NONE];
}

/** The same as plain values; `safe` is what the exit code tells. */
export function recordOf({ shifts, statusWrites, undecided }: Plan): object {
  return {
    safe: shifts.every(({ what }) => what !== 'homeless'),
    moves: shifts.filter(({ what }) => what === 'moves').length,
    homeless: shifts.filter(({ what }) => what === 'homeless').length,
    statusWrites,
    undecided,
    addresses: shifts,
  };
}
