/** Random lives with crashes at any moment: what was said can be concluded again, all of it. */
import assert from 'node:assert/strict';
import { seeded } from '../every.ts';
import { Bench } from './verify-bench.ts';
import { routedFacts } from './verify-routed.ts';
import { beginning, randomLife } from './verify-steps.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 6);
const FIRST = Number(process.env['FIRST'] ?? 1);
const STEPS = 200;

/** Facts come alone or together, in the middle of turns and of crashes; time goes on or jumps. */
async function life(seed: number): Promise<Bench> {
  const draw = seeded(seed);
  const step = randomLife(draw);
  const bench = new Bench();
  await bench.tell(...beginning(draw));
  for (let steps = 0; steps < STEPS; steps++) {
    const facts = Array.from({ length: draw.one([1, 1, 1, 3, 8]) }, step);
    await bench.tell(...facts);
    await bench.world.clock.breathe();
    const roll = draw.next();
    if (roll < 0.08) await bench.world.restart();
    if (roll > 0.2) await bench.world.advance(draw.one([1, 14, 16, 40, 5_000, 70_000, 700_000]));
  }
  await bench.world.advance(20);
  await bench.world.end();
  return bench;
}

/** What a cluster with BGP routing tells, in its own time, told again to a room that crashes. */
async function routedLife(seed: number): Promise<Bench> {
  const draw = seeded(seed);
  const bench = new Bench();
  let told = 0;
  for (const facts of routedFacts(draw, STEPS)) {
    const lateMs = facts.nowMs - told;
    told = facts.nowMs;
    await bench.tell(...facts.facts);
    const roll = draw.next();
    if (roll < 0.08) await bench.world.restart(['bgp']);
    await bench.world.advance(roll < 0.2 ? 1 : Math.min(lateMs, 500_000));
  }
  await bench.world.advance(20);
  await bench.world.end();
  return bench;
}

describe('sluice verify on random lives', function () {
  this.timeout(240_000);

  it('explains every decision of 200 steps with crashes, on a cloud or on bare metal', async () => {
    let [decisions, restarts] = [0, 0];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const bench = await life(seed);
      const { text } = await bench.verify();
      const [, said = '', lives = ''] =
        /^assigner +(\d+) .* (\d+) (?:life|lives)/m.exec(text) ?? [];
      assert.doesNotMatch(text, /changed|unexplained|missing|gap/, `seed ${seed}:\n${text}`);
      assert.equal(Number(said), bench.decisions.length, `seed ${seed}: all are compared`);
      decisions += Number(said);
      restarts += Number(lives) - 1;
    }
    console.log(`      ${SEEDS} lives, ${decisions} decisions, ${restarts} restarts`);
    assert.ok(restarts > SEEDS && decisions > 20 * SEEDS, 'the lives are eventful');
  });

  it('begins in the middle of a life where the history is shorter', async () => {
    let [decisions, unsure] = [0, 0];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const bench = await life(seed);
      const at = Math.floor(seeded(seed).next() * bench.heard.length);
      const { text } = await bench.verifyWithout(at);
      assert.doesNotMatch(text, /changed|unexplained|missing|gap/, `seed ${seed}:\n${text}`);
      decisions += Number(/^assigner +(\d+) decisions? replayed/m.exec(text)?.[1]);
      unsure += text.match(/ unsure /g)?.length ?? 0;
    }
    // What that life remembered beyond the last words on the log shows now and then.
    console.log(`      ${SEEDS} beginnings, ${decisions} decisions, ${unsure} unsure`);
    assert.ok(unsure * 20 < decisions);
  });

  it('explains every decision of bgp, with its patience and its memory of troubles', async () => {
    let [decisions, restarts] = [0, 0];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const bench = await routedLife(seed);
      const { text } = await bench.verify();
      const [, said = '', lives = ''] = /^bgp +(\d+) .* (\d+) (?:life|lives)/m.exec(text) ?? [];
      assert.doesNotMatch(text, /changed|unexplained|missing|gap/, `seed ${seed}:\n${text}`);
      decisions += Number(said);
      restarts += Number(lives) - 1;
    }
    console.log(`      ${SEEDS} lives, ${decisions} decisions, ${restarts} restarts`);
    assert.ok(restarts > SEEDS && decisions > 20 * SEEDS, 'the lives are eventful');
  });
});
