/** When an object counts as it is wanted: what servers add is no drift, anything else is. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../core/canonical.ts';
import { differs } from '../../services/publisher/managed-compare.ts';
import { every } from '../every.ts';

type Json = Record<string, unknown>;

const wanted = {
  nodeSelector: { matchLabels: { router: 'true' } },
  bgp: { routers: [{ asn: 1, neighbors: [{ address: 'x', asn: 2 }] }] },
};
const labels = { ours: 'yes' };

const pathsOf = (spec: unknown, accepted = '', seenLabels: Json = labels): readonly string[] =>
  differs(
    { spec: canonicalJson(spec), labels: seenLabels as Record<string, string> },
    { spec: canonicalJson(wanted), labels, dropped: ['not'], accepted },
  ).map(({ path }) => path);

/** Values that somebody may have put there, and whether a server would have. */
const extras: readonly (readonly [value: unknown, harmless: boolean])[] = [
  ...([false, 0, '', null, [], {}] as const).map((value) => [value, true] as const),
  ...([true, 1, 'x', ['x'], [0], { x: 1 }] as const).map((value) => [value, false] as const),
  [{ deep: { x: 0, y: [] } }, true],
  [{ deep: { x: 0, y: [false] } }, false],
];

/** Puts a field into a copy of the spec, at one of the places where there are objects. */
const places: Readonly<Record<string, (spec: typeof wanted) => Json>> = {
  spec: (spec) => spec,
  'spec.bgp': (spec) => spec.bgp,
  'spec.bgp.routers[0]': (spec) => spec.bgp.routers[0] as Json,
  'spec.bgp.routers[0].neighbors[0]': (spec) => spec.bgp.routers[0]?.neighbors[0] as Json,
  'spec.nodeSelector': (spec) => spec.nodeSelector,
  'spec.nodeSelector.matchLabels': (spec) => spec.nodeSelector.matchLabels,
};

describe('an object that is compared with what is wanted', () => {
  it('may have what the server would have added anywhere, and nothing else, in every case', () => {
    const runs = every((choose) => {
      const place = choose.one(Object.keys(places));
      const [value, harmless] = choose.one(extras);
      const spec = structuredClone(wanted);
      const there = places[place]?.(spec) ?? {};
      there['extra'] = value;
      const tolerated = harmless && !place.endsWith('matchLabels');
      assert.deepEqual(pathsOf(spec), tolerated ? [] : [`${place}.extra`]);
      const known = canonicalJson(spec);
      assert.deepEqual(pathsOf(spec, known), [], 'the server had made just this of it');
    });
    assert.equal(runs, Object.keys(places).length * extras.length);
  });

  it('lacks nothing that is wanted, and has it as it is wanted, in every case', () => {
    const runs = every((choose) => {
      const place = choose.one(Object.keys(places));
      const spec = structuredClone(wanted);
      const there = places[place]?.(spec) ?? {};
      const key = choose.one(Object.keys(there));
      if (choose.one([true, false])) delete there[key];
      else there[key] = 'another';
      assert.notDeepEqual(pathsOf(spec), []);
      assert.notDeepEqual(pathsOf(spec, canonicalJson(wanted)), []);
    });
    assert.ok(runs > 10);
  });

  it('has lists of the same length and order', () => {
    const spec = structuredClone(wanted);
    spec.bgp.routers[0]?.neighbors.unshift({ address: 'y', asn: 2 });
    assert.deepEqual(pathsOf(spec), ['spec.bgp.routers[0].neighbors']);
  });

  it('may have the documented defaults of its own fields, and those only', () => {
    const place = places['spec.bgp.routers[0].neighbors[0]'];
    for (const [key, value, fine] of [
      ['port', 179, true],
      ['port', 180, false],
      ['holdTime', '180s', true],
      ['holdTime', '9s', false],
      ['toReceive', { allowed: { mode: 'filtered' } }, true],
      ['toReceive', { allowed: { mode: 'all' } }, false],
    ] as const) {
      const spec = structuredClone(wanted);
      Object.assign(place?.(spec) ?? {}, { [key]: value });
      assert.equal(pathsOf(spec).length === 0, fine, `${key} ${JSON.stringify(value)}`);
    }
  });

  it('has our labels, lacks those that it must not have, and may have those of others', () => {
    assert.deepEqual(pathsOf(wanted, '', { ours: 'yes', theirs: 'yes' }), []);
    assert.deepEqual(pathsOf(wanted, '', {}), ['label ours']);
    assert.deepEqual(pathsOf(wanted, '', { ours: 'no' }), ['label ours']);
    assert.deepEqual(pathsOf(wanted, '', { ours: 'yes', not: '' }), ['label not']);
  });

  it('counts as changed where it differs from what the server had made of the same wish', () => {
    const made = { ...structuredClone(wanted), tuned: 'by a webhook' };
    const accepted = canonicalJson(made);
    assert.deepEqual(pathsOf(made, accepted), []);
    assert.deepEqual(pathsOf({ ...made, tuned: 'by hand' }, accepted), ['spec.tuned']);
    assert.deepEqual(pathsOf(wanted, accepted), [], 'it is exactly what is wanted');
  });
});
