/**
 * `make chaos`: ROUNDS= how many; SEED= another schedule; KIND= only kinds whose name begins so. A line per round,
 * then a table in JSON. Exit 1 when anything was against the rules.
 */
import { kinds } from './kinds.ts';
import { planOf } from './plan.ts';
import { playRound, type Result } from './round.ts';
import { Site } from './site.ts';
import { lineOf, tableOf } from './table.ts';

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
await site?.stop();
console.log(JSON.stringify(tableOf(results), undefined, 1));
process.exit(results.some(({ wrong }) => wrong.length > 0) ? 1 : 0);
