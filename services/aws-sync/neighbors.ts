/** The neighbours that AWS offers, for the room that configures FRR. */
import type { AwsFact, NeighborGroup } from '../../core/aws-fact.ts';
import type { Plan } from './plan.ts';
import type { Region } from './region.ts';
import { missingServers, type Mode } from './scope.ts';
import { count } from '../../core/say.ts';
import type { World } from './world.ts';

/**
 * Told only when at least one of the configured Route Servers was found: a wrong region is "not
 * found", and never "no neighbours" (facts T27).
 */
export function tellNeighbors(world: World, mode: Mode, region: Region, plan: Plan): void {
  if (mode.kind !== 'keep' || mode.scope.region !== region.name) return;
  const { config, scope } = mode;
  if (missingServers(scope, region).length === scope.routeServerIDs.length) return;
  const groups = plan.groups.map((group): NeighborGroup => {
    const { key, zone, hosts, endpoints, asns } = group;
    const effective = plan.stages.get(key)?.effective;
    return {
      ...{ key, zone, nodes: hosts },
      neighbors: endpoints.map(({ address }, index) => ({ address, remoteASN: asns[index] ?? 0 })),
      localASN: effective?.asn ?? config.localASN,
      livenessDetection: effective?.liveness ?? config.livenessDetection,
    };
  });
  const event: AwsFact = { kind: 'NeighborsSeen', uid: config.uid, groups };
  const neighbors = groups.reduce((sum, group) => sum + group.neighbors.length, 0);
  world.tell(event, `${count(neighbors, 'neighbor')} in ${count(groups.length, 'group')}`);
}
