/** The table of packet marks in a vectors file (`spec/egressip.md` 7). */
import { listOf, property, textOf } from '../../core/json.ts';
import {
  LAST_GIVEN,
  LAST_VALID,
  FIRST_MARK,
  Marks,
  readMark,
} from '../../services/assigner/marks.ts';

interface Compared {
  readonly want: unknown;
  readonly got: unknown;
}

export function markTable(table: unknown): readonly Compared[] {
  const bound = (key: string, got: number): Compared => ({ want: property(table, key), got });
  return [
    bound('min', FIRST_MARK),
    bound('allocatableMax', LAST_GIVEN),
    bound('validMax', LAST_VALID),
    ...listOf(property(table, 'parse')).map((row) => ({
      want: property(row, 'valid'),
      got: readMark(textOf(property(row, 'annotation'))) !== undefined,
    })),
    ...listOf(property(table, 'sequences')).map(sequence),
  ];
}

function sequence(row: unknown): Compared {
  const [first = ''] = listOf(property(row, 'ops')).map(textOf);
  if (first.startsWith('50 x ')) return { want: true, got: fiftyTimes() };
  const marks = new Marks();
  const done = listOf(property(row, 'ops')).map((op) => operate(marks, textOf(op)));
  const wanted = property(row, 'result');
  if (property(row, 'error') === true) return { want: true, got: done.includes(false) };
  const names = Object.keys(wanted as object);
  return { want: wanted, got: Object.fromEntries(names.map((name) => [name, marks.markOf(name)])) };
}

/** `alloc a`, `release a`, `reserve a 50000`; false when it is refused. */
function operate(marks: Marks, op: string): boolean {
  const [verb, name = '', text = ''] = op.split(' ');
  if (verb === 'release') marks.release(name);
  if (verb === 'release') return true;
  if (verb === 'alloc') return (marks.markOf(name) ?? marks.give(name)?.mark) !== undefined;
  const mark = readMark(text);
  return mark !== undefined && marks.reserve(name, mark);
}

function fiftyTimes(): boolean {
  const marks = new Marks();
  const given = Array.from({ length: 50 }, () => {
    const mark = marks.give('egressip')?.mark ?? 0;
    marks.release('egressip');
    return mark;
  });
  return given.every((mark) => mark >= FIRST_MARK && mark <= LAST_GIVEN);
}
