/**
 * `make chaos`: ROUNDS= how many; SEED= another schedule; KIND= only kinds whose name begins so. A
 * line per round, then a table in JSON. Exit 1 when anything was against the rules.
 */
import { kinds } from './kinds.ts';
import { planOf } from './plan.ts';
import { playRound, type Result } from './round.ts';
import { Site } from './site.ts';
import { lineOf, tableOf } from './table.ts';

// Our servers are in groups of their own: they end with us, not by Ctrl-C.
process.once('SIGINT', () => process.exit(130));

const { ROUNDS = '', SEED = '', KIND = '' } = process.env;
const seed = Number(SEED || 1);
const names = Object.keys(kinds).filter((name) => name.startsWith(KIND));
const plan = planOf(seed, Number(ROUNDS || names.length), names);
const results: Result[] = [];
let site: Site | undefined;
for (const [index, kind] of plan.entries()) {
  site ??= await Site.open();
  const result = await playRound(site, { seed, round: index + 1, kind, longestMs: 20_000 });
  results.push(result);
  console.log(lineOf(result));
  for (const sentence of result.wrong) console.log(`  ${sentence}`);
  if (result.convergedS >= 0) continue;
  // It never came to rest: the next round begins on a new one.
  await site.stop();
  site = undefined;
}
const silent = (await site?.silent(10_000)) ?? true;
if (!silent) console.log('something is still being written at the end');
await site?.stop();
console.log(JSON.stringify(tableOf(results), undefined, 1));
process.exit(silent && results.every(({ wrong }) => wrong.length === 0) ? 0 : 1);
