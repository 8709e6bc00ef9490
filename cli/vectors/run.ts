/** Runs a file of test vectors and prints one line for each (`make vectors FILE=…`). */
import type { VectorFile } from './format.ts';
import { distinguish, play, type Verdict } from './play.ts';
import { playTables } from './unit.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Every verdict as soon as it is known; those that compare themselves with others come last. */
export async function* verdicts(file: VectorFile): AsyncGenerator<Verdict> {
  yield* await playTables(file.unit);
  const known = new Map<string, Verdict>();
  const waiting: Verdict[] = [];
  const byName = new Map(file.vectors.map((vector) => [vector.name, vector]));
  for (const vector of file.vectors) {
    const verdict = await play(vector);
    known.set(vector.name, verdict);
    if (vector.expect.distinctFrom === undefined) yield verdict;
    else waiting.push(verdict);
  }
  for (const verdict of waiting) {
    const vector = byName.get(verdict.name);
    const other = known.get(vector?.expect.distinctFrom ?? '');
    if (vector !== undefined) yield distinguish(vector, verdict, other);
  }
}

/** Prints `pass|fail|better|skip NAME …`, and last `N passed, N failed, N skipped`. */
export async function runVectors(file: VectorFile, print: (line: string) => void): Promise<Tally> {
  const count = { pass: 0, better: 0, fail: 0, skip: 0 };
  for await (const { name, word, text } of verdicts(file)) {
    count[word]++;
    print(`${word} ${name}${word === 'skip' ? ` (${text})` : text === '' ? '' : `: ${text}`}`);
  }
  const { pass, better, fail, skip } = count;
  print(`${pass + better} passed, ${fail} failed, ${skip} skipped`);
  return { passed: pass + better, failed: fail, skipped: skip };
}
