/**
 * `make fuzz`: SEQUENCES= how many (FROM= the first); SEED= one alone, KEEP= which of its changes.
 * Ends with the first that fails, as few changes as it needs; exit 1 then.
 */
import { fewest } from '../fewest.ts';
import { fuzz, sequenceFor } from './fuzz.ts';
import { type Ended, fuzzMany } from './many.ts';

/** So many are played to find the fewest changes. */
const MOST_RUNS = 300;

const { SEED = '', SEQUENCES = '', FROM = '', KEEP = '' } = process.env;
process.exit((SEED === '' ? await many() : await one(Number(SEED))) ? 0 : 1);

async function one(seed: number): Promise<boolean> {
  const keep = KEEP === '' ? undefined : new Set(KEEP.split(',').map(Number));
  const sequence = sequenceFor(seed, keep);
  console.log(`the schemas are ${sequence.schemas}`);
  for (const { collection, name, spec } of sequence.changes)
    console.log(`${collection.split('/').at(-1)}/${name} ${JSON.stringify(spec) ?? 'is deleted'}`);
  const { problems } = await fuzz(sequence);
  for (const problem of problems) console.log(`FAILED ${problem}`);
  return problems.length === 0;
}

async function many(): Promise<boolean> {
  const count = Number(SEQUENCES || 500);
  const all: Ended[] = [];
  const failed = await fuzzMany(Number(FROM || 1), count, (ended) => {
    all.push(ended);
    if (all.length % 50 === 0) console.log(`${all.length} of ${count} sequences`);
  });
  const sum = (of: (ended: Ended) => number): number =>
    all.reduce((total, ended) => total + of(ended), 0);
  const plain = sum(({ remembers }) => (remembers ? 0 : 1));
  console.log(
    `${all.length} sequences: ${sum(({ refused }) => refused)} changes refused; ` +
      `${sum(({ objects }) => objects)} objects at last, ` +
      `${sum(({ invalid }) => invalid)} of them invalid; ` +
      `${plain} sequences with nothing that goes on by the rules`,
  );
  if (failed === undefined) return true;
  const { seed, problems } = failed;
  for (const problem of problems) console.log(`FAILED ${problem}`);
  const { length } = sequenceFor(seed).changes;
  const fails = async (kept: ReadonlySet<number>): Promise<boolean> =>
    (await fuzz(sequenceFor(seed, kept))).problems.length > 0;
  const keep = await fewest(length, MOST_RUNS, fails);
  console.log(`${keep.length} changes are enough: make fuzz SEED=${seed} KEEP=${keep.join(',')}`);
  return false;
}
