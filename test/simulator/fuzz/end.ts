/**
 * How a world ends, as lines to compare: what people are told of each object, and what was made.
 */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NETWORKS,
  ROUTINGS,
} from '../../../edge/simulated/kinds.ts';
import { oursOf, specOf, statusOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';

export interface Told {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
}

export interface Refused {
  readonly address: string;
  readonly reason: string;
  readonly node: string;
  readonly egressIP: string;
}

/** The last decision on an EgressIP, as the log has it. */
export function decisionOn(
  world: Simulation,
  name: string,
): { readonly placed: readonly string[]; readonly refused: readonly Refused[] } | undefined {
  for (const { event } of world.log.lasts('assigner'))
    if (event.kind === 'EgressIPDecided' && event.name === name)
      return { placed: event.placements.map(({ address }) => address), refused: event.refusals };
  return undefined;
}

/** Object → its lines; what was made stands under `made`. */
export function endOf(world: Simulation): ReadonlyMap<string, readonly string[]> {
  const { server } = world;
  const resources = [CONFIGS, ROUTINGS].flatMap((kind) => server.list(kind));
  const ends = resources.map(({ metadata, ...rest }) => {
    const { phase, conditions = [] } = statusOf({ metadata, ...rest });
    const told = (conditions as readonly Told[]).map(
      ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
    );
    return [metadata.name, [String(phase), ...told.toSorted()]] as const;
  });
  const homes = server.list(EGRESSIPS).map(({ metadata: { name } }) => {
    return [name, egressIPLines(world, name)] as const;
  });
  return new Map<string, readonly string[]>([...ends, ...homes, ['made', madeLines(world)]]);
}

/** Which of several siblings found no node is chance: they are counted. */
function egressIPLines(world: Simulation, name: string): readonly string[] {
  const { placed, refused } = decisionOn(world, name) ?? { placed: [], refused: [] };
  const words = refused.map(({ address, reason, egressIP }) =>
    reason === 'SiblingsEverywhere' ? reason : `${reason} ${address} ${egressIP}`,
  );
  return [`${placed.length} placed`, ...words.toSorted()];
}

const madeLines = (world: Simulation): readonly string[] =>
  [FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS]
    .flatMap((kind) => oursOf(world, kind))
    .map((one) => `${one.metadata.name} ${JSON.stringify(specOf(one))}`);

/** What stands in the one end and not in the other, a line each. */
export function differences(
  a: ReadonlyMap<string, readonly string[]>,
  b: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])].toSorted().flatMap((name) => {
    const [left, right] = [a.get(name) ?? [], b.get(name) ?? []];
    if (JSON.stringify(left) === JSON.stringify(right)) return [];
    return [
      ...left.filter((line) => !right.includes(line)).map((line) => `${name}: only here: ${line}`),
      ...right.filter((line) => !left.includes(line)).map((line) => `${name}: only anew: ${line}`),
    ];
  });
}
