/** At any time: our finalizer goes only when nothing of ours is left. */
import { CONFIGS, FRR_CONFIGURATIONS, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import type { KubeObject } from '../../../core/door.ts';
import type { Checker } from '../checker.ts';
import { claimsSince, cudnOf, isOurs, metaOf, networkOf, oursOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { isRoom, recently } from './writes.ts';

const name = 'anytime-finalizer';

const holds = (object: KubeObject | undefined): boolean =>
  JSON.stringify(metaOf(object).finalizers ?? []).includes('networking.openshift.io/');

export const finalizer = (): Checker => ({
  name,
  onChange: (world, { collection, by, before, object, type }) => {
    if (!isRoom(by) || before === undefined || !holds(before)) return;
    if (type !== 'DELETED' && holds(object)) return;
    const left =
      collection === CONFIGS
        ? configLeft(world)
        : collection === ROUTINGS
          ? routingLeft(world, before)
          : '';
    if (left !== '') world.fail(name, `${before.metadata.name} goes, and leaves ${left}`);
  },
});

function configLeft(world: Simulation): string {
  const [first] = oursOf(world, FRR_CONFIGURATIONS);
  if (first !== undefined && !recently(world, first.metadata.name)) return first.metadata.name;
  const dying = ['deleting', 'deleted'];
  const peer = world.field?.region.peers.find(
    ({ state, tags }) =>
      !dying.includes(state) &&
      tags['managed-by']?.startsWith('cudn-bgp-routing-operator') === true,
  );
  return peer?.id ?? '';
}

/** Its network goes to the next who claims it, or goes. */
function routingLeft(world: Simulation, routing: KubeObject): string {
  const network = networkOf(routing);
  const cudn = cudnOf(world, network);
  if (!isOurs(cudn) || recently(world, `cluster-udn-${network}`)) return '';
  const others = claimsSince(world, network, world.scheduler.nowMs - 300_000);
  return others.some(({ uid }) => uid !== routing.metadata.uid) ? '' : `cluster-udn-${network}`;
}
