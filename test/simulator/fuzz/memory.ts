/**
 * What a world may remember, by its rules, and what of it therefore goes into the fresh one: what
 * runs stays as it is (`docs/bgp.md`), a valid home is not left (OKEP-6800). All else of the past
 * must not show.
 */
import type { Collection, KubeObject } from '../../../core/door.ts';
import type { JsonObject } from '../../../core/json.ts';
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NETWORKS,
  OPERATOR_NETWORKS,
  ROUTINGS,
} from '../../../edge/simulated/kinds.ts';
import { isLive, metaOf, networkOf, oursOf, specOf, statusOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { collections } from './changes.ts';
import type { Given } from './play.ts';
import { addressOf } from './reading.ts';

export interface Last {
  /** There before the rooms are: what was made, and the objects that remember something. */
  readonly before: readonly Given[];
  /** The others, the oldest first. */
  readonly after: readonly Given[];
}

/** The objects of users as they are at last, and what they may remember. */
export function lastOf(world: Simulation): Last {
  const { server } = world;
  const all = collections.flatMap((collection) =>
    server.list(collection).map((object) => ({ collection, object })),
  );
  // Uids are given in order.
  const aged = all.toSorted((a, b) => (a.object.metadata.uid < b.object.metadata.uid ? -1 : 1));
  const given = aged.map(({ collection, object }) => {
    const remembered = memoryOf(world, collection, object);
    const plain = { spec: specOf(object), metadata: agesOf(object) };
    const { name } = object.metadata;
    return { collection, name, object: { ...plain, ...remembered }, remembers: !!remembered };
  });
  const running = runningOf(world);
  // What was switched on stays so. Of the rest: who comes later would find gone what he answers
  // for.
  const isRouted = running.length > 1 || given.some((one) => isRouting(one) && one.remembers);
  const isBefore = (one: (typeof given)[number]): boolean =>
    one.remembers || (isRouted && isRouting(one));
  return {
    before: [...running, ...given.filter(isBefore)],
    after: given.filter((one) => !isBefore(one)),
  };
}

const isRouting = ({ collection }: Given): boolean => collection !== EGRESSIPS;

const agesOf = (object: KubeObject): JsonObject => {
  const { creationTimestamp } = metaOf(object);
  return { creationTimestamp };
};

function memoryOf(
  world: Simulation,
  collection: Collection,
  object: KubeObject,
): JsonObject | undefined {
  if (collection === EGRESSIPS) {
    const items = (statusOf(object).items ?? []) as readonly { egressIP: string }[];
    const kept = items.filter(({ egressIP }) => claimants(world, egressIP) > 1);
    return kept.length === 0 ? undefined : { status: { items: kept } };
  }
  const { finalizers = [], deletionTimestamp } = metaOf(object);
  const wasReady = world.server.history.some(
    (change) =>
      change.object.metadata.uid === object.metadata.uid &&
      statusOf(change.object).phase === 'Ready',
  );
  const isHeld = finalizers.length > 0 && (collection === ROUTINGS || !isLive(object));
  if (!isHeld && !wasReady) return undefined;
  const dying = isLive(object) ? {} : { deletionTimestamp };
  return {
    metadata: { ...agesOf(object), ...(isHeld && { finalizers }), ...dying },
    ...(wasReady && { status: { phase: 'Ready' } }),
  };
}

const claimants = ({ server }: Simulation, address: string): number =>
  server.list(EGRESSIPS).filter((one) => {
    const wanted = (specOf(one).egressIPs ?? []) as readonly string[];
    return wanted.some((text) => addressOf(text) === address);
  }).length;

/** What was made, and may go on while somebody is there who answers for it. */
function runningOf(world: Simulation): readonly Given[] {
  const { server } = world;
  const routings = server.list(ROUTINGS);
  const networks = new Set(routings.map((one) => `cluster-udn-${networkOf(one)}`));
  const isRouted = routings.some(isLive);
  const isConfigured = server.get(CONFIGS, 'cluster') !== undefined || routings.length > 0;
  const operator = server.get(OPERATOR_NETWORKS, 'cluster');
  const patched = {
    collection: OPERATOR_NETWORKS,
    name: 'cluster',
    object: { spec: specOf(operator) },
  };
  return [
    patched,
    ...(isConfigured ? givens(world, FRR_CONFIGURATIONS) : []),
    ...givens(world, NETWORKS).filter(({ name }) => networks.has(name)),
    ...(isRouted ? givens(world, ADVERTISEMENTS) : []),
  ];
}

const givens = (world: Simulation, collection: Collection): readonly Given[] =>
  oursOf(world, collection)
    .filter(isLive)
    .map((one) => {
      const { name, labels } = metaOf(one);
      const object = { metadata: { name, labels }, spec: specOf(one) };
      return { collection, name, object };
    });
