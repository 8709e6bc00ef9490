/** Random objects one after the other: however the rooms came there, the end is the same. */
import type { JsonObject } from '../../../core/json.ts';
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NETWORKS,
  ROUTINGS,
} from '../../../edge/simulated/kinds.ts';
import { nodeIn } from '../deeds.ts';
import { draw } from '../draw.ts';
import { playGlobals } from '../globals.ts';
import { ready } from '../checkers/eventually-ready.ts';
import { remove } from '../routing/deeds.ts';
import { isLive, oursOf, specOf, statusOf } from '../routing/truth.ts';
import type { Shape } from '../plan.ts';
import { type Failure, Simulation } from '../simulation.ts';
import { generate, specSchema } from './generate.ts';

const schemas = new Map([
  [EGRESSIPS, specSchema('k8s.ovn.org_egressips')],
  [CONFIGS, specSchema('networking.openshift.io_cudnbgpconfigs')],
  [ROUTINGS, specSchema('networking.openshift.io_cudnbgproutings')],
]);

const names: Readonly<Record<string, readonly string[]>> = {
  [EGRESSIPS]: ['e1', 'e2'],
  [CONFIGS]: ['cluster', 'other'],
  [ROUTINGS]: ['r1', 'r2'],
};

/** `undefined` = it is deleted. */
interface Change {
  readonly collection: string;
  readonly name: string;
  readonly spec: JsonObject | undefined;
}

export function changesOf(seed: number, count: number): readonly Change[] {
  const chance = draw(seed, 'fuzz');
  return Array.from({ length: count }, () => {
    const collection = chance.one([...schemas.keys()]);
    const oddity = chance.one([0, 0, 0.02, 0.1]);
    const spec = generate(schemas.get(collection) ?? {}, chance, oddity) as JsonObject;
    const name = chance.one(names[collection] ?? []);
    return { collection, name, spec: chance.chance(0.2) ? undefined : spec };
  });
}

export interface Ended {
  readonly failure: Failure | undefined;
  /** What people are told, and what was made. */
  readonly end: string;
  /** Objects of which nothing is told. */
  readonly untold: readonly string[];
  /** What there is in the end, in the order of its creation. */
  readonly last: readonly Change[];
}

const shape: Shape = {
  ...{ cloud: false, movesInPlace: false, statusSubresource: false, probing: 'off' },
  ...{ nodes: 3, egressIPs: 2, pageSize: 500, routing: 'named' },
};

/** Applies the changes, ten seconds apart, and waits until all is at rest. */
export async function fuzz(changes: readonly Change[]): Promise<Ended> {
  playGlobals();
  const plan = { seed: 1, shape, shares: [], steps: [], chaosMs: 0 };
  const world = new Simulation(plan, [ready()], () => undefined);
  world.network.steadyMs = 1;
  const traits = { zone: 'red', assignable: true, secondary: false, capacity: 10, drained: false };
  world.open(() => {
    for (const name of ['n1', 'n2', 'n3']) {
      const node = nodeIn(world, name, { ...traits, broken: false, ready: 'True', beat: 1 });
      world.server.set(NODES, name, node);
    }
  });
  await world.run(5_000);
  for (const change of changes) {
    apply(world, change);
    await world.run(10_000);
  }
  await world.run(1_200_000);
  world.judge('eventually');
  return { failure: world.failure, ...read(world) };
}

function apply({ server }: Simulation, { collection, name, spec }: Change): void {
  if (spec === undefined) remove(server, collection, name);
  else server.set(collection, name, { ...server.get(collection, name), spec });
}

function read(world: Simulation): Pick<Ended, 'end' | 'untold' | 'last'> {
  const { server } = world;
  const objects = [...schemas.keys()].flatMap((collection) =>
    server.list(collection).map((object) => ({ collection, object, name: object.metadata.name })),
  );
  const told = objects
    .filter(({ collection }) => collection !== EGRESSIPS)
    .map(({ name, object }) => {
      const { phase, conditions = [] } = statusOf(object);
      const all = conditions.map((one: { type: string; status: string; reason: string }) => {
        return `${one.type} ${one.status} ${one.reason}`;
      });
      return `${name} ${phase}: ${all.sort().join(', ')}`;
    });
  const made = [FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS]
    .flatMap((kind) => oursOf(world, kind))
    .map((one) => `${one.metadata.name} ${JSON.stringify(specOf(one))}`);
  const decided = new Set(
    world.log.lasts('assigner').flatMap(({ event }) => ('name' in event ? [event.name] : [])),
  );
  const untold = objects
    .filter(({ collection, object, name }) =>
      collection === EGRESSIPS ? !decided.has(name) : !statusOf(object).phase,
    )
    .map(({ name }) => name);
  // Uids are given in order, and who claims first is served first.
  const aged = objects.toSorted((a, b) => (a.object.metadata.uid < b.object.metadata.uid ? -1 : 1));
  const given = aged.map(({ collection, name, object }) => {
    return { collection, name, spec: object['spec'] as JsonObject };
  });
  const dying = aged.filter(({ object }) => !isLive(object));
  const last = [
    ...given,
    ...dying.map(({ collection, name }) => ({ collection, name, spec: undefined })),
  ];
  return { end: [...told, ...made].join('\n'), untold, last };
}
