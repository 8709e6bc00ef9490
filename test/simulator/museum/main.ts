/**
 * `make museum`: each known bug must be caught within SEEDS (1,000) seeds; exit 1 if one is not.
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { mutants as usual } from './mutants.ts';
import { routingMutants } from './routing-mutants.ts';

const seeds = process.env['SEEDS'] || '1000';
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function hunt(name: string): Promise<{ caught: boolean; said: string }> {
  const args = ['--import', path('patch.ts'), path('hunt.ts'), seeds];
  const env = { ...process.env, MUTANT: name };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      const said = stdout.trim() || stderr.trim().split('\n').slice(0, 8).join(' ');
      resolve({ caught: error === null, said });
    });
  });
}

const mutants = [...usual, ...routingMutants];
const waiting = [...mutants];
let survived = 0;
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { caught, said } = await hunt(next.name);
    if (!caught) survived++;
    console.log(`${caught ? '✓' : '✗'} ${next.name} (${next.from})\n    ${said}`);
  }
};
await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
console.log(`${mutants.length - survived} of ${mutants.length} mutants caught`);
process.exit(survived === 0 ? 0 : 1);
