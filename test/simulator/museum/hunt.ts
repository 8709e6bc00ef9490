/**
 * Simulates seed after seed of at most so many until one fails; says which and why, or that none
 * did. Seeds whose world cannot show the bug are passed over, but count. EXCEPT= seeds that fail
 * without it, too; ONLY= one seed alone. `at N` on the error output: so many were simulated.
 */
import { type Plan, planOf } from '../plan.ts';
import { simulate } from '../simulate.ts';
import { museum } from './all.ts';

/** A sign of life after so many seeds. */
const STEP = 20;

const { MUTANT = '', EXCEPT = '', ONLY = '' } = process.env;
const most = Number(process.argv[2] ?? 1_000);
const except = new Set(EXCEPT.split(',').map(Number));
const { world, needs, seed: first } = museum.find(({ name }) => name === MUTANT) ?? {};
const told: string[] = [];
let tried = 0;
for (const seed of ONLY === '' ? seeds() : [Number(ONLY)]) {
  if (++tried % STEP === 0) console.error(`at ${tried}`);
  const { failure } = await simulate(planOf(seed));
  if (failure === undefined) continue;
  told.push(`seed ${seed}, ${failure.checker}: ${failure.sentence}`);
  break;
}
console.log(told[0]?.split('\n')[0]?.slice(0, 200) ?? `SURVIVED ${most} seeds`);
process.exit(told.length === 0 ? 1 : 0);

/** The one that caught it last, then those that are simulated soon, then the others. */
function seeds(): readonly number[] {
  const all = Array.from({ length: most }, (_, index) => index + 1);
  const own = all.map((seed) => planOf(seed)).filter(shows);
  const isQuick = ({ shape }: Plan): boolean => shape.routing === 'none';
  const quickFirst = own.toSorted((a, b) => Number(isQuick(b)) - Number(isQuick(a)));
  const order = [...(first === undefined ? [] : [first]), ...quickFirst.map(({ seed }) => seed)];
  return order.filter((seed) => seed <= most && !except.has(seed));
}

function shows({ shape: { cloud, routing }, shares, steps }: Plan): boolean {
  const befalls = [...shares.map(({ rate }) => rate), ...steps.map(({ kind }) => kind)];
  if (needs !== undefined && !befalls.some((kind) => kind === needs)) return false;
  if (world === 'cloud') return cloud;
  if (world === 'routed') return routing !== 'none';
  return world === undefined || routing === world;
}
