/** A law: what would help is the same whether it is tried nearby or in the whole cluster. */
import assert from 'node:assert/strict';
import type { Fact } from '../../core/fact.ts';
import { attemptsFor } from '../../services/assigner/explain-attempt.ts';
import { wouldHelp } from '../../services/assigner/explain-help.ts';
import { settle } from '../../services/assigner/explain-picture.ts';
import { egressIP, node, probe, Scene, seen, synced, where } from './scene.ts';

const SEEDS = 500;

/** Small numbers that follow from the seed (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Some nodes, good and bad, and EgressIPs that quarrel about few addresses. */
function clusterOf(seed: number): Scene {
  const roll = dice(seed);
  const facts: Fact[] = [synced(roll(2) === 0 ? 'off' : 'grpc')];
  for (let index = 1; index <= 2 + roll(4); index++) {
    const name = `worker-${index}`;
    const tier = ['a', 'b'][roll(2)] ?? '';
    // Some node has an egress address as its own.
    const last = roll(6) === 0 ? 101 + roll(4) : index;
    facts.push(seen(node(name, last, { tier }, { ready: roll(3) > 0 })));
    if (roll(4) > 0) facts.push(probe(name, roll(3) > 0));
  }
  for (let index = 1; index <= 1 + roll(3); index++) {
    const first = 101 + roll(4);
    const addresses = Array.from({ length: 1 + roll(3) }, (_, at) => `203.0.113.${first + at}`);
    facts.push(egressIP(`eip-${index}`, addresses, where({ tier: ['a', 'b'][roll(2)] ?? '' })));
  }
  return new Scene().see(...facts);
}

/** Every attempt, judged by the shipped rules in the whole cluster. */
function inWholeCluster(scene: Scene, name: string, address: string): readonly string[] {
  const { picture } = scene;
  const claim = picture.world.claims.get(name);
  assert.ok(claim);
  return attemptsFor(picture, claim, address)
    .filter(({ facts }) => {
      const world = picture.fold([...picture, ...facts]);
      settle(world);
      return world.claims.get(name)?.homes.has(address) === true;
    })
    .map((attempt) => `${attempt.name} ${attempt.change}`);
}

describe('what would place an egress IP, in every small cluster', function () {
  this.timeout(60_000);
  it(`suffices, and nothing that suffices is left out (${SEEDS} clusters)`, () => {
    let helps = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const scene = clusterOf(seed);
      const { picture } = scene;
      for (const claim of picture.world.claims.values())
        for (const address of claim.wants.keys()) {
          if (claim.homes.has(address)) continue;
          const found = wouldHelp(picture, claim, address);
          const nearby = found.map(({ name, change }) => `${name} ${change}`);
          const whole = inWholeCluster(scene, claim.name, address);
          assert.deepEqual(nearby, whole, `seed ${seed}: ${claim.name} ${address}`);
          helps += found.length;
        }
    }
    assert.ok(helps > SEEDS, `only ${helps} helps were judged`);
  });
});
