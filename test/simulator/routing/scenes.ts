/** Turns of events that single steps seldom make up by chance, where pod networks are routed. */
import type { Draw } from '../draw.ts';
import type { RoutingBlow, Share } from '../faults.ts';
import type { Step } from '../plan.ts';
import type { RoutingDeed } from './deeds.ts';

export interface Scene {
  readonly shares: readonly Share[];
  readonly steps: readonly Step[];
}

const none: Scene = { shares: [], steps: [] };

/** What one seed plays of them besides everything else; most play none. */
export function sceneOf(chance: Draw, chaosMs: number): Scene {
  const fromMs = Math.floor(chance.next() * (chaosMs - 180_000));
  if (chance.chance(0.55)) return none;
  return chance.one([takenDown, comesAndGoes])(chance, fromMs);
}

/** In AWS: somebody else is at work there, and sometimes all of it is to go then. */
export function meddlingOf(chance: Draw, chaosMs: number): Scene {
  if (chance.chance(0.6)) return none;
  const steps = [stepAt(chance, 0, 'config applied')];
  for (const kind of chance.some(meddling, 2))
    steps.push(stepAt(chance, chance.between(60_000, chaosMs - 1_000), kind));
  if (chance.chance(0.3)) steps.push(stepAt(chance, chaosMs - 500, 'routing taken down'));
  return { shares: [], steps };
}

const meddling: readonly RoutingBlow[] = [
  'AWS peer of somebody else',
  'AWS peer of somebody else',
  'AWS check turned on by somebody',
  'AWS check turned on by somebody',
];

const stepAt = (chance: Draw, afterMs: number, kind: RoutingDeed | RoutingBlow): Step => ({
  ...{ afterMs, kind, seed: chance.between(1, 2 ** 31 - 1) },
});

/** Everything is deleted at once, when it works; and asked for anew soon, later, or never. */
function takenDown(chance: Draw, fromMs: number): Scene {
  const againMs = fromMs + chance.between(1, 170) * 1_000;
  const anew = chance.chance(0.6)
    ? [
        stepAt(chance, againMs, 'config applied'),
        stepAt(chance, againMs + chance.between(0, 5_000), 'routing applied'),
      ]
    : [];
  return {
    shares: [],
    steps: [
      stepAt(chance, 0, 'config applied'),
      stepAt(chance, chance.between(0, 30_000), 'routing applied'),
      stepAt(chance, fromMs, 'routing taken down'),
      ...anew,
    ],
  };
}

/** A routing is deleted while some watch has not yet shown its network, and asked for anew. */
function comesAndGoes(chance: Draw, fromMs: number): Scene {
  const steps = [stepAt(chance, 0, 'config applied')];
  let atMs = fromMs;
  for (let count = chance.between(2, 4); count > 0; count--) {
    steps.push(stepAt(chance, atMs, 'routing applied'));
    atMs += chance.between(1, 25) * 1_000;
    steps.push(stepAt(chance, atMs, 'every routing deleted'));
    atMs += chance.between(1, 15) * 1_000;
  }
  steps.push(stepAt(chance, atMs, 'routing applied'));
  return { shares: [{ rate: 'watch stalls', share: 0.05 + 0.2 * chance.next() }], steps };
}
