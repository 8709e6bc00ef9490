/**
 * At any time: what all share is there only for a claim, and the network of who holds it is never
 * withdrawn for the sake of a loser.
 */
import { ADVERTISEMENTS, NETWORKS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import type { Change } from '../api-server.ts';
import type { Checker } from '../checker.ts';
import { claimsSince, isLive, metaOf, specOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { windowMs } from '../window.ts';
import { isRoom, recently } from './writes.ts';

const name = 'anytime-claims';
const ADVERTISED = 'sluice.dev/advertised';

export const claims = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (!isRoom(change.by)) return;
    if (change.collection === ADVERTISEMENTS && change.type === 'ADDED') made(world);
    if (change.collection === NETWORKS) network(world, change);
  },
});

function made(world: Simulation): void {
  const sinceMs = world.scheduler.nowMs - windowMs(world.plan);
  const { history } = world.server;
  const live = world.server.list(ROUTINGS).some(isLive);
  const lately = history.some(({ collection, atMs }) => collection === ROUTINGS && atMs >= sinceMs);
  if (!live && !lately) world.fail(name, 'RouteAdvertisements without a claim');
}

function network(world: Simulation, { before, object, type }: Change): void {
  const own = object.metadata.name.replace('cluster-udn-', '');
  const sinceMs = world.scheduler.nowMs - windowMs(world.plan);
  const all = claimsSince(world, own, sinceMs);
  if (type === 'ADDED') {
    if (all.length === 0) world.fail(name, `${object.metadata.name} without a claim`);
    return;
  }
  const gone = type === 'DELETED' || (isLive(before) && !isLive(object));
  const withdrawn =
    metaOf(before).labels?.[ADVERTISED] === 'true' && !metaOf(object).labels?.[ADVERTISED];
  if (!(gone || withdrawn) || recently(world, object.metadata.name)) return;
  if (!isLive(before) && !withdrawn) return;
  const eldest = all.toSorted((a, b) => a.createdMs - b.createdMs)[0];
  if (eldest?.throughout !== true || world.log.losses > 0) return;
  const subnets = JSON.stringify(specOf(object).network);
  world.fail(name, `${object.metadata.name} ${subnets} leaves who holds it`);
}
