/** How a world that routes by BGP ends, without what chance may choose. */
import {
  ADVERTISEMENTS,
  CONFIGS,
  FRR_CONFIGURATIONS,
  NETWORKS,
  ROUTINGS,
} from '../../../edge/simulated/kinds.ts';
import { isLive, oursOf, specOf, statusOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';

export function endOfRouting(world: Simulation): string {
  const { field, server } = world;
  if (field === undefined) return '';
  const resources = [CONFIGS, ROUTINGS].flatMap((one) => server.list(one));
  const states = resources.map((one) => `${one.metadata.name} is ${statusOf(one).phase}`);
  const kinds = [FRR_CONFIGURATIONS, NETWORKS, ADVERTISEMENTS];
  const objects = kinds
    .flatMap((kind) => oursOf(world, kind))
    .map((one) => `${one.metadata.name} ${isLive(one)} ${JSON.stringify(specOf(one))}`);
  const peers = field.region.peers
    .filter(({ state }) => !['deleted', 'deleting'].includes(state))
    .map(({ endpointId, address, asn, liveness }) => `${endpointId} ${address} ${asn} ${liveness}`);
  return ['', ...states, ...objects, ...peers.sort()].join('; ');
}
