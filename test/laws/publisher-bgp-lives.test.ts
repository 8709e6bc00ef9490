/** Long random lives of the publisher with BGP routing, judged by what is there in the end. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../core/canonical.ts';
import { seeded } from '../every.ts';
import { RoutingBench } from '../publisher/bgp-bench.ts';
import { answer, type Json } from '../publisher/bgp-model.ts';
import {
  condition,
  config,
  configDecided,
  decided,
  frrSpec,
  LABELS,
} from '../publisher/bgp-scene.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 60);
const STEPS = 60;
const names = ['az-a', 'az-b', 'az-c'];
const PLURAL = 'frrconfigurations';

interface Wish {
  readonly want: 'present' | 'absent' | 'untouched';
  readonly asn: number;
}

class Life {
  readonly bench = new RoutingBench();
  readonly draw: ReturnType<typeof seeded>;
  readonly wishes = new Map<string, Wish>();
  readonly uid: string;
  /** Objects that somebody else made, and bgp has not decided upon. */
  storm = true;

  constructor(seed: number) {
    this.draw = seeded(seed);
    this.uid = config(this.bench);
    this.bench.model.fault = () => {
      const { draw } = this;
      if (!this.storm || draw.next() < 0.8) return undefined;
      const status = draw.one([0, 403, 409, 422, 429, 500, 503]);
      return answer(status, {}, draw.one(['failed calling webhook: refused', 'denied', 'no']));
    };
    this.bench.hear('bgp', configDecided(this.uid, 'Ready', [condition('Any')]));
  }

  /** As bgp does: from the object that there is now. */
  decide(name: string): void {
    const { want, asn } = this.wishes.get(name) ?? { want: 'untouched', asn: 1 };
    const spec = structuredClone(frrSpec);
    spec.bgp.routers[0].asn = asn;
    const uid = this.bench.model.get(PLURAL, name)?.metadata.uid ?? '';
    this.bench.hear('bgp', decided('FRRConfiguration', name, { uid, want, spec }));
  }

  async step(): Promise<void> {
    const { draw, bench } = this;
    const name = draw.one(names);
    const roll = draw.next();
    if (roll < 0.3) {
      const want = draw.one(['present', 'present', 'present', 'absent', 'untouched'] as const);
      this.wishes.set(name, { want, asn: draw.one([65_001, 65_002]) });
      this.decide(name);
    } else if (roll < 0.5) this.meddle(name);
    else if (roll < 0.6) bench.model.remove(PLURAL, name);
    else if (roll < 0.8) await bench.pass(draw.one([100, 2_000, 30_000]));
    else if (roll < 0.85) await this.restart();
    if (draw.next() < 0.7) await bench.rest();
    if (draw.next() < 0.5) this.decide(name);
  }

  async restart(): Promise<void> {
    await this.bench.rest();
    const reversed = this.draw.next() < 0.5;
    await this.bench.restart((log) => (reversed ? log.toReversed() : log));
  }

  meddle(name: string): void {
    const { bench, draw } = this;
    if (bench.model.get(PLURAL, name) === undefined) return;
    const roll = draw.next();
    bench.model.edit(PLURAL, name, (object: Json) => {
      if (roll < 0.3) object.spec.bgp = {};
      else if (roll < 0.6) object.metadata.labels = { theirs: 'yes' };
      else object.metadata.finalizers = roll < 0.8 ? ['example.com/hold'] : [];
    });
  }

  /** Nothing fails any more, and nobody holds anything: everybody comes to rest. */
  async settle(): Promise<void> {
    this.storm = false;
    const { bench } = this;
    for (let round = 0; round < 4; round++) {
      for (const name of names) {
        const known = bench.model.get(PLURAL, name);
        if ((known?.metadata.finalizers ?? []).length === 0) continue;
        bench.model.edit(PLURAL, name, ({ metadata }) => (metadata.finalizers = []));
      }
      await bench.rest();
      for (const name of names) this.decide(name);
      await bench.pass(130_000);
    }
  }

  judge(seed: number): void {
    for (const [name, { want, asn }] of this.wishes) {
      const object = this.bench.model.get(PLURAL, name);
      const about = `seed ${seed}: ${name} ${want}`;
      if (want === 'absent') assert.equal(object, undefined, about);
      if (want !== 'present') continue;
      assert.ok(object !== undefined, about);
      const spec = structuredClone(frrSpec);
      spec.bgp.routers[0].asn = asn;
      assert.equal(canonicalJson(object.spec), canonicalJson(spec), about);
      for (const [key, value] of Object.entries(LABELS))
        assert.equal(object.metadata.labels[key], value, about);
    }
    const { status } = this.bench.model.get('cudnbgpconfigs', 'cluster');
    assert.deepEqual([status.phase, status.conditions.length], ['Ready', 1], `seed ${seed}`);
  }
}

async function live(seed: number): Promise<number> {
  const life = new Life(seed);
  for (let step = 0; step < STEPS; step++) await life.step();
  await life.settle();
  life.judge(seed);
  const { bench } = life;
  const writes = bench.writes().length;
  bench.outcomes();
  await bench.restart();
  await bench.restart((log) => log.toReversed());
  await bench.pass(600_000);
  const again = [bench.writes(), bench.outcomes().map(({ said }) => said)];
  assert.deepEqual(again, [[], []], `seed ${seed}: at rest, and after a restart`);
  return writes;
}

describe('the publisher with BGP routing, through long random lives', function () {
  this.timeout(240_000);

  it('has all as decided after every storm, and is silent then, also when restarted', async () => {
    let writes = 0;
    for (let seed = 1; seed <= SEEDS; seed++) writes += await live(seed);
    console.log(`      ${SEEDS} lives of ${STEPS} steps, ${writes} writes`);
    assert.ok(writes > SEEDS * 5, 'the lives are eventful');
  });
});
