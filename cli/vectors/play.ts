/** Plays one vector and tells how it went. */
import { better } from './better.ts';
import { compare } from './compare.ts';
import type { Expectation, Vector } from './format.ts';
import { Harness, type RecordedEvent } from './harness.ts';

export interface Verdict {
  readonly name: string;
  readonly word: 'pass' | 'fail' | 'better' | 'skip';
  /** The difference, the reason why it is better, or why it is skipped; '' when it passes. */
  readonly text: string;
  /** What was recorded on the objects, for vectors that compare themselves with this one. */
  readonly events: readonly RecordedEvent[];
}

export async function play(vector: Vector): Promise<Verdict> {
  const { name } = vector;
  const harness = new Harness(vector);
  try {
    const differences = await differencesOf(vector, harness);
    const { events } = harness;
    if (differences.length > 0) return { name, word: 'fail', text: differences.join('; '), events };
    const why = better[name]?.why;
    return { name, word: why === undefined ? 'pass' : 'better', text: why ?? '', events };
  } catch (error) {
    return { name, word: 'fail', text: String(error), events: harness.events };
  } finally {
    await harness.stop();
  }
}

async function differencesOf(vector: Vector, harness: Harness): Promise<readonly string[]> {
  const known = better[vector.name];
  if (known !== undefined && vector.headOnly !== true)
    return ['only a weakness of the snapshot can be done better'];
  const wanted = (label: string, expect: Expectation) => known?.instead[label] ?? expect;
  const differences: string[] = [];
  await harness.start();
  for (const step of vector.steps) {
    if (step.op !== 'expect') await harness.play(step);
    else
      differences.push(
        ...compare(wanted(step.label, step.expect), harness).map(
          (text) => `${step.label}: ${text}`,
        ),
      );
  }
  return [...differences, ...compare(wanted('', vector.expect), harness)];
}

/** Two situations that people must be able to tell apart by what is recorded on the object. */
export function distinguish(vector: Vector, own: Verdict, other: Verdict | undefined): Verdict {
  const from = vector.expect.distinctFrom;
  if (from === undefined || own.word !== 'pass') return own;
  const wordsOf = (verdict: Verdict | undefined): string =>
    (verdict?.events ?? [])
      .map(({ reason, note }) => `${reason}: ${note}`)
      .sort()
      .join('\n');
  if (other !== undefined && wordsOf(own) !== '' && wordsOf(own) !== wordsOf(other)) return own;
  return { ...own, word: 'fail', text: `its events do not differ from those of ${from}` };
}
