/** Plays objects to a cluster of three nodes, with rooms that know nothing yet, until it rests. */
import type { Collection, KubeObject } from '../../../core/door.ts';
import type { JsonObject } from '../../../core/json.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import { ready } from '../checkers/eventually-ready.ts';
import { nodeIn } from '../deeds.ts';
import { playGlobals } from '../globals.ts';
import type { Shape } from '../plan.ts';
import { remove } from '../routing/deeds.ts';
import { Simulation } from '../simulation.ts';
import { admitted, type Sequence } from './changes.ts';

const shape: Shape = {
  ...{ cloud: false, movesInPlace: false, statusSubresource: false, probing: 'off' },
  ...{ nodes: 3, egressIPs: 3, pageSize: 500, routing: 'named' },
};

/** Between two changes: whatever they set off is on its way by then, but hardly over. */
const STEP_MS = 10_000;

/** The longest wait: sessions have 5 minutes to come, and each zone one to come back. */
const REST_MS = 720_000;

export interface Played {
  readonly world: Simulation;
  /** How many changes the API server refused. */
  readonly refused: number;
}

/** An object as it is put there by somebody else than the rooms. */
export interface Given {
  readonly collection: Collection;
  readonly name: string;
  readonly object: JsonObject;
}

/** Three nodes, each in a zone of its own, all alike for egress IPs. */
async function opened(before: readonly Given[]): Promise<Simulation> {
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
    for (const { collection, name, object } of before) world.server.set(collection, name, object);
  });
  await world.run(5_000);
  return world;
}

async function rested(world: Simulation): Promise<Simulation> {
  await world.run(REST_MS);
  world.judge('eventually');
  return world;
}

/** One change after the other, as users make them. */
export async function play(sequence: Sequence): Promise<Played> {
  const world = await opened([]);
  const { server } = world;
  let refused = 0;
  for (const change of sequence.changes) {
    const { collection, name, spec } = change;
    const before: KubeObject | undefined = server.get(collection, name);
    const stored = spec === undefined ? undefined : admitted(sequence, change, before);
    if (spec === undefined) remove(server, collection, name);
    else if (stored === undefined) refused++;
    else server.set(collection, name, { ...before, spec: stored });
    await world.run(stored === undefined && spec !== undefined ? 0 : STEP_MS);
  }
  return { world: await rested(world), refused };
}

/**
 * Objects in a world of their own: some are there before the rooms are, the others come in order.
 */
export async function playAnew(
  before: readonly Given[],
  after: readonly Given[],
): Promise<Simulation> {
  const world = await opened(before);
  for (const { collection, name, object } of after) {
    world.server.set(collection, name, object);
    await world.run(STEP_MS);
  }
  return await rested(world);
}
