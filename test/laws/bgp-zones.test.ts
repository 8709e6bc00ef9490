/** Zones in any number and order: the same objects, and nobody’s decision depends on another’s. */
import assert from 'node:assert/strict';
import type { Zone } from '../../core/bgp-fact.ts';
import { Field } from '../bgp/field.ts';
import { givenConfig, neighbor } from '../bgp/givens.ts';
import { every, seeded } from '../every.ts';

const ZONE = 'topology.kubernetes.io/zone';

/** Named, without a name, two of one name, one that looks numbered, one that is no DNS label. */
const all: readonly Zone[] = [
  { [ZONE]: 'a' },
  { rack: '7' },
  { [ZONE]: 'b', subnet: '1' },
  { [ZONE]: 'b', subnet: '2' },
  { [ZONE]: 'az-1' },
  { [ZONE]: 'Zone.C' },
].map((nodeSelector, index) => ({ nodeSelector, neighbors: [neighbor(`10.0.${index}.1`)] }));

function shuffled<T>(seed: number, list: readonly T[]): T[] {
  const draw = seeded(seed);
  return list
    .map((one) => ({ one, at: draw.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Name → the whole decision, as text. */
function decisions(field: Field): Map<string, string> {
  const found = [...field.world.objectsDecided.values()].filter(
    ({ object, want }) => object === 'FRRConfiguration' && want === 'present',
  );
  return new Map(found.map((one) => [one.name, JSON.stringify(one)]));
}

function withZones(zones: readonly Zone[]): Field {
  const field = Field.withNodes('x');
  field.config(givenConfig({ zones }));
  field.rest();
  return field;
}

function edit(field: Field, zones: readonly Zone[]): void {
  const config = field.configs.get('cluster')!;
  field.config({ ...config, zones, generation: config.generation + 1 });
  field.rest();
}

describe('zones of a config', function () {
  this.timeout(60_000);

  it('have the same objects in whatever order they are written', () => {
    every((choose) => {
      const zones = all.filter(() => choose.one([true, false]));
      if (zones.length === 0) return;
      const names = [...decisions(withZones(zones)).keys()].toSorted();
      assert.equal(new Set(names).size, zones.length, 'each has a name of its own');
      for (const name of names) assert.match(name, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
      const other = decisions(withZones(shuffled(zones.length, zones)));
      assert.deepEqual([...other.keys()].toSorted(), names);
    });
  });

  it('come, go and change places without a word about the others', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const draw = seeded(seed);
      const field = withZones(shuffled(seed, all).slice(0, 3));
      for (let step = 0; step < 8; step++) {
        const before = decisions(field);
        const specs = new Map([...before].map(([name, text]) => [specOf(text), name]));
        const next = shuffled(seed * 100 + step, all).slice(0, draw.one([1, 2, 3, 4]));
        edit(field, next);
        const now = decisions(field);
        for (const [name, text] of now) {
          const was = specs.get(specOf(text));
          if (was === undefined) continue;
          assert.equal(was, name, 'a zone keeps its object');
          assert.equal(text, before.get(name), 'byte by byte');
        }
        assert.equal(now.size, next.length);
        assert.deepEqual(field.denied, []);
      }
    }
  });

  const specOf = (text: string): string => (JSON.parse(text) as { spec: string }).spec;
});

describe('the order of hearing', () => {
  it('does not show in what is decided', () => {
    const make = (): Field => {
      const field = new Field();
      field.nowMs = 1;
      return field;
    };
    const first = make();
    first.serve();
    for (const letter of 'abc') first.addNode(`worker-${letter}`, letter);
    first.config(givenConfig());
    const facts = first.log.map(({ event }) => event);
    first.think();
    const wanted = JSON.stringify([...first.world.objectsDecided.values()]);
    for (let seed = 1; seed <= 30; seed++) {
      const field = make();
      for (const event of shuffled(seed, facts)) field.tellAgain(event);
      field.think();
      assert.equal(
        JSON.stringify([...field.world.objectsDecided.values()]),
        wanted,
        `seed ${seed}`,
      );
      assert.deepEqual(field.configState(), first.configState());
    }
  });
});
