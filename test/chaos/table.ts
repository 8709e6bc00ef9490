/** The figures of many rounds: a line for each, and a table by kind. */
import type { Result } from './round.ts';

/** `12 all stores lost: quorum 3.2 s, converged 1.4 s, moves 0, doubles 0; 3 began anew`. */
export function lineOf(one: Result): string {
  const { round, kind, note, quorumS, convergedS, moves, doubles, noticed, voided } = one;
  const what = note === '' ? kind : `${kind} (${note})`;
  const times = `quorum ${seconds(quorumS)}, converged ${seconds(convergedS)}`;
  const saw = `${noticed.length} began anew${voided.length > 0 ? ', the log was made void' : ''}`;
  return `${round} ${what}: ${times}, moves ${moves}, doubles ${doubles}; ${saw}`;
}

const seconds = (value: number): string => (value < 0 ? 'never' : `${value.toFixed(1)} s`);

export interface Row {
  readonly kind: string;
  readonly rounds: number;
  readonly wrong: number;
  readonly moves: number;
  readonly doubles: number;
  readonly noticed: number;
  readonly voided: number;
  /** The longest, in seconds; -1 = never. */
  readonly quorumS: number;
  readonly convergedS: number;
  readonly medianS: number;
}

/** A row for each kind, in order of name, and one for all. */
export function tableOf(results: readonly Result[]): Row[] {
  const groups = Map.groupBy(results, ({ kind }) => kind);
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...rows.map(([kind, some]) => rowOf(kind, some)), rowOf('all', results)];
}

function rowOf(kind: string, some: readonly Result[]): Row {
  const sum = (count: (one: Result) => number): number =>
    some.reduce((total, one) => total + count(one), 0);
  const times = some.map(({ convergedS }) => convergedS).sort((a, b) => a - b);
  return {
    kind,
    rounds: some.length,
    wrong: sum(({ wrong }) => Number(wrong.length > 0)),
    moves: sum(({ moves }) => moves),
    doubles: sum(({ doubles }) => doubles),
    noticed: sum(({ noticed }) => Number(noticed.length > 0)),
    voided: sum(({ voided }) => Number(voided.length > 0)),
    quorumS: Math.max(...some.map(({ quorumS }) => quorumS)),
    convergedS: times[0] === -1 ? -1 : (times.at(-1) ?? -1),
    medianS: times[Math.floor(times.length / 2)] ?? -1,
  };
}
