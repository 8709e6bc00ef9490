/**
 * `make simulate`: SEEDS= how many (FROM= the first); SEED= one alone, a line per event; KEEP=
 * which of its faults and steps. Exit 1 when a seed fails or something that should befall never
 * did.
 */
import { simulateMany } from './many.ts';
import { planOf } from './plan.ts';
import { shrink, sizeOf } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { Failed, Tally } from './tally.ts';

const { SEED = '', SEEDS = '', FROM = '', KEEP, VERBOSE = '' } = process.env;
process.exit((SEED === '' ? await many() : await one(Number(SEED))) ? 0 : 1);

async function one(seed: number): Promise<boolean> {
  const keep = KEEP === undefined || KEEP === '' ? undefined : new Set(KEEP.split(',').map(Number));
  const plan = planOf(seed, keep);
  console.log(JSON.stringify(plan.shape));
  for (const { rate, share } of plan.shares) console.log(`${rate}: ${(share * 100).toFixed(1)} %`);
  const print = VERBOSE === '0' ? undefined : (line: string) => console.log(line.slice(0, 400));
  const { failure, hash, virtualMs } = await simulate(plan, print);
  console.log(`trace ${hash}, ${Math.round(virtualMs / 1_000)} simulated seconds`);
  if (failure !== undefined) console.log(`FAILED ${failure.checker}: ${failure.sentence}`);
  return failure === undefined;
}

async function many(): Promise<boolean> {
  const seeds = Number(SEEDS || 2_000);
  const tally = await simulateMany(Number(FROM || 1), seeds, ({ failed }, all) => {
    for (const one of failed) console.log(`seed ${one.seed} FAILED ${one.checker}`);
    if (all.seeds % 100 !== 0 || all.seeds === seeds) return;
    const hours = Math.round(all.virtualMs / 3_600_000);
    console.log(
      `${all.seeds} of ${seeds} seeds, ${hours} simulated hours, ${all.failed.length} failed`,
    );
  });
  for (const kind of [...tally.fired.keys()].sort())
    console.log(`${tally.fired.get(kind) ?? 0}\t${kind}`);
  console.log(tally.summary());
  console.log(`all traces ${tally.digest()}`);
  const missing = tally.missing();
  if (missing.length > 0) console.log(`never happened: ${missing.join(', ')}`);
  await report(tally);
  return tally.failed.length === 0 && missing.length === 0;
}

/** The first of each kind of failure, as small as it can be. */
async function report({ failed }: Tally): Promise<void> {
  const kinds = new Map<string, Failed>();
  for (const one of failed) if (!kinds.has(one.checker)) kinds.set(one.checker, one);
  for (const { seed, checker, sentence } of kinds.values()) {
    const seeds = failed.filter((one) => one.checker === checker).map((one) => one.seed);
    console.log(`FAILED ${checker} in seeds ${seeds.join(' ')}\n  ${seed}: ${sentence}`);
    const keep = await shrink(seed, checker);
    console.log(`  ${keep.length} of ${sizeOf(planOf(seed))} faults and steps are enough:`);
    console.log(`  make simulate SEED=${seed} KEEP=${keep.join(',') || 'none'}`);
  }
}
