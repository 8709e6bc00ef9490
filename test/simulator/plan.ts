/** What one seed will do: a world, a mix of faults, and the steps of its users and its fate. */
import { type Blow, blows, rates, routingBlows, routingRates, type Share } from './faults.ts';
import { type Draw, draw } from './draw.ts';
import { type Deed, deeds } from './deeds.ts';
import { type RoutingDeed, routingDeeds } from './routing/deeds.ts';
import { meddlingOf, type Scene, sceneOf } from './routing/scenes.ts';

/** The world that a seed begins with. */
export interface Shape {
  readonly cloud: boolean;
  /** OpenStack's way: an address moves in one step. */
  readonly movesInPlace: boolean;
  readonly statusSubresource: boolean;
  readonly probing: 'off' | 'tcp' | 'grpc';
  readonly nodes: number;
  readonly egressIPs: number;
  readonly pageSize: number;
  /** By BGP: not at all, with neighbours that are named, or with those that AWS offers. */
  readonly routing: 'none' | 'named' | 'aws';
}

/** One thing that happens at a time; its own seed decides the rest. */
export interface Step {
  readonly afterMs: number;
  readonly kind: Blow | Deed | RoutingDeed;
  readonly seed: number;
}

export interface Plan {
  readonly seed: number;
  readonly shape: Shape;
  readonly shares: readonly Share[];
  readonly steps: readonly Step[];
  /** How long users and faults are at work. */
  readonly chaosMs: number;
}

/** `keep` = which of the shares and steps remain, counted through; all without it. */
export function planOf(seed: number, keep?: ReadonlySet<number>): Plan {
  const chance = draw(seed, 'plan');
  const shape = { ...shapeOf(chance), routing: 'none' as Shape['routing'] };
  const routing = draw(seed, 'routing');
  if (routing.chance(0.4)) shape.routing = shape.cloud ? 'aws' : 'named';
  if (shape.routing === 'aws') shape.movesInPlace = false;
  const chaosMs = chance.between(4, 20) * 60_000;
  const usualShares = sharesOf(chance);
  const usualSteps = stepsOf(chance, shape, chaosMs);
  const isAws = shape.routing === 'aws';
  const isRouted = shape.routing !== 'none';
  const scenes: readonly Scene[] = [
    ...(isRouted ? [sceneOf(draw(seed, 'turns of events'), chaosMs)] : []),
    ...(isAws ? [meddlingOf(draw(seed, 'meddling'), chaosMs)] : []),
  ];
  const more = isAws ? awsShares(routing) : [];
  const rest = isRouted ? routingSteps(routing, shape, chaosMs) : [];
  const shares = [...usualShares, ...more, ...scenes.flatMap((scene) => scene.shares)];
  const steps = [...usualSteps, ...rest, ...scenes.flatMap((scene) => scene.steps)].sort(byTime);
  if (keep === undefined) return { seed, shape, shares, steps, chaosMs };
  return {
    seed,
    shape,
    chaosMs,
    shares: shares.filter((_, index) => keep.has(index)),
    steps: steps.filter((_, index) => keep.has(shares.length + index)),
  };
}

function shapeOf(
  chance: Draw,
): Omit<Shape, 'routing' | 'movesInPlace'> & { movesInPlace: boolean } {
  const cloud = chance.chance(0.4);
  return {
    cloud,
    movesInPlace: chance.chance(0.3),
    statusSubresource: chance.chance(0.3),
    probing: chance.one(['off', 'tcp', 'grpc', 'grpc']),
    nodes: chance.between(2, 5),
    egressIPs: chance.between(1, 5),
    pageSize: chance.one([2, 3, 500]),
  };
}

/** Quiet and brutal worlds both occur: from no fault at all to most of them. */
function sharesOf(chance: Draw): readonly Share[] {
  const kinds = Object.keys(rates) as (keyof typeof rates)[];
  const brutality = chance.one([0, 0.15, 0.3, 0.6]);
  return kinds
    .filter(() => chance.chance(brutality))
    .map((rate) => ({ rate, share: rates[rate] * (0.1 + 0.9 * chance.next()) }));
}

function stepsOf(chance: Draw, { cloud }: { cloud: boolean }, chaosMs: number): readonly Step[] {
  const kinds = chance.some(blows).filter((kind) => cloud || !kind.startsWith('cloud'));
  const blowsMost = kinds.length === 0 ? 0 : chance.one([0, 4, 10, 20]);
  const steps: Step[] = [];
  for (let count = chance.between(4, 30); count > 0; count--)
    steps.push(stepOf(chance, chance.one(deeds), chaosMs));
  for (let count = chance.between(0, blowsMost); count > 0; count--)
    steps.push(stepOf(chance, chance.one(kinds), chaosMs));
  return steps.sort(byTime);
}

const byTime = (a: Step, b: Step): number => a.afterMs - b.afterMs;

function awsShares(chance: Draw): readonly Share[] {
  const brutality = chance.one([0, 0.3, 0.6]);
  return (Object.keys(routingRates) as (keyof typeof routingRates)[])
    .filter(() => chance.chance(brutality))
    .map((rate) => ({ rate, share: routingRates[rate] * (0.1 + 0.9 * chance.next()) }));
}

function routingSteps(chance: Draw, { routing }: Shape, chaosMs: number): readonly Step[] {
  const isAws = routing === 'aws';
  const kinds = chance.some(routingBlows).filter((kind) => isAws || !kind.startsWith('AWS'));
  const blowsMost = kinds.length === 0 ? 0 : chance.one([0, 3, 8]);
  const steps: Step[] = [];
  for (let count = chance.between(3, 14); count > 0; count--)
    steps.push(stepOf(chance, chance.one(routingDeeds), chaosMs));
  for (let count = chance.between(0, blowsMost); count > 0; count--)
    steps.push(stepOf(chance, chance.one(kinds), chaosMs));
  return steps;
}

/** Now and then several things happen within a moment. */
function stepOf(chance: Draw, kind: Step['kind'], chaosMs: number): Step {
  const grid = chance.chance(0.3) ? 60_000 : 1;
  const at = Math.floor((chance.next() * chaosMs) / grid) * grid;
  return { afterMs: at + chance.between(0, 40), kind, seed: chance.between(1, 2 ** 31 - 1) };
}
