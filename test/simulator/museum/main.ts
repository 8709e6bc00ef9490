/**
 * `make museum`: each known bug must be caught within SEEDS (1,000) seeds; exit 1 if one is not.
 * MUTANT= only those whose name begins so. A line for each that was hunted to the end, and one now
 * and then for those that are being hunted.
 */
import { availableParallelism } from 'node:os';
import { museum } from './all.ts';
import { hunted, huntDown } from './hunter.ts';

/** How often it is told what is under way. */
const PROGRESS_MS = 30_000;

const { SEEDS = '', MUTANT = '' } = process.env;
const mutants = museum.filter(({ name }) => name.startsWith(MUTANT));
const waiting = [...mutants];
let survived = 0;
let told = 0;
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { caught, said } = await huntDown(next.name, SEEDS || '1000');
    if (!caught) survived++;
    const count = `${++told} of ${mutants.length}`;
    console.log(`${caught ? '✓' : '✗'} ${count}: ${next.name} (${next.from})\n    ${said}`);
  }
};
const progress = setInterval(() => {
  for (const [name, tried] of hunted) console.log(`… ${name}: ${tried} seeds tried`);
}, PROGRESS_MS);
await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
clearInterval(progress);
console.log(`${mutants.length - survived} of ${mutants.length} mutants caught`);
process.exit(survived === 0 && mutants.length > 0 ? 0 : 1);
