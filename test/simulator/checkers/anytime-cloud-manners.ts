/**
 * At any time in AWS: one live peer for an endpoint and address, nothing touched that carries the
 * tag of somebody else, and no zone that loses its last session by us.
 */
import { NODES } from '../../../edge/simulated/admission.ts';
import { CONFIGS } from '../../../edge/simulated/kinds.ts';
import type { Checker } from '../checker.ts';
import { changedSince, configOf, isLive, routersOf, statusOf, zoneIn } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';

/** What the emulator finds, and what it means here. */
const meanings: Readonly<Record<string, string>> = {
  I1: 'anytime-one-live-peer',
  I2: 'anytime-whole-listing',
  I3: 'anytime-foreign-tag',
  I6: 'anytime-zone-served',
};

/** Nobody asked for anything else for so long. */
const CALM_MS = 600_000;

export const cloudManners = (): Checker => {
  let known = 0;
  return {
    name: 'anytime-cloud-manners',
    onAnswer: (world) => {
      const all = world.field?.aws.violations() ?? [];
      for (const violation of all.slice(known)) {
        const checker = meanings[violation.slice(0, 2)];
        if (checker === undefined || isPardoned(world, violation)) continue;
        world.fail(checker, violation);
      }
      known = all.length;
    },
  };
};

/** A zone may lose its last session when that is what people asked for, or machines went. */
function isPardoned(world: Simulation, violation: string): boolean {
  if (!violation.startsWith('I6')) return false;
  const sinceMs = world.scheduler.nowMs - CALM_MS;
  const byPeople = changedSince(world, CONFIGS, sinceMs, ({ by }) => by === 'user');
  if (byPeople || !isLive(configOf(world)) || world.log.losses > 0) return true;
  const nodes = changedSince(world, NODES, sinceMs, ({ object, before, type }) => {
    if (type !== 'MODIFIED' || before === undefined) return true;
    const of = (one: typeof object): string =>
      JSON.stringify([one.metadata, statusOf(one).addresses]).match(/bgp_router/)?.[0] ?? '';
    return of(object) !== of(before);
  });
  if (nodes || world.field === undefined) return true;
  const zone = /us-east-1[a-c]/.exec(violation)?.[0] ?? '';
  return !routersOf(world).some((node) => zoneIn(node) === zone);
}
