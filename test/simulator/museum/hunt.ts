/** Simulates seed after seed until one fails; says which and why, or that none did. */
import { planOf } from '../plan.ts';
import { simulate } from '../simulate.ts';

const most = Number(process.argv[2] ?? 1_000);
let found = '';
for (let seed = 1; seed <= most && found === ''; seed++) {
  const { failure } = await simulate(planOf(seed));
  if (failure !== undefined) found = `seed ${seed}, ${failure.checker}: ${failure.sentence}`;
}
console.log(found === '' ? `SURVIVED ${most} seeds` : found.split('\n')[0]?.slice(0, 200));
process.exit(found === '' ? 1 : 0);
