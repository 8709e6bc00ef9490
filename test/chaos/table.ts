/** The figures of many rounds: a line for each, and a table by kind. */
import type { Handover } from './handover.ts';
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

/** Of two publishers beside each other. */
interface HandoverFigures {
  /** How often the leader was harmed, and how often another led then. */
  readonly harmed: number;
  readonly tookOver: number;
  /** Its requests that were not answered at that moment. */
  readonly inFlight: number;
  /** The longest that it was frozen, and the longest until another led, in seconds. */
  readonly frozenS: number;
  readonly takeoverS: number;
  /** Requests that the API server got or answered when another led, and those it accepted. */
  readonly late: number;
  readonly accepted: number;
}

export interface Row extends HandoverFigures {
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
    ...rowOfHandovers(some.flatMap(({ handovers }) => handovers)),
  };
}

function rowOfHandovers(all: readonly Handover[]): HandoverFigures {
  const sum = (count: (one: Handover) => number): number =>
    all.reduce((total, one) => total + count(one), 0);
  const most = (what: (one: Handover) => number): number => Math.max(0, ...all.map(what)) / 1000;
  return {
    harmed: all.length,
    tookOver: sum(({ takeoverMs }) => Number(takeoverMs >= 0)),
    inFlight: sum(({ inFlight }) => inFlight),
    frozenS: most(({ frozenMs }) => frozenMs),
    takeoverS: most(({ takeoverMs }) => takeoverMs),
    late: sum(({ late }) => late),
    accepted: sum(({ accepted }) => accepted),
  };
}
