/** What Prometheus is shown of BGP routing. */
import type { Phase } from '../../core/bgp-decision.ts';
import type { Reading } from '../../core/room.ts';
import { groupsOf } from './group.ts';
import { readyNodes } from './readiness.ts';
import { sessionsOf } from './sessions.ts';
import type { World } from './world.ts';

const phases: readonly Phase[] = ['Pending', 'Configuring', 'Ready', 'Degraded'];

export function readings(world: World): readonly Reading[] {
  return [...sessionReadings(world), ...routingReadings(world)];
}

function sessionReadings(world: World): readonly Reading[] {
  const config = world.configs.get('cluster');
  const groups = (config && groupsOf(world, config)) ?? [];
  return sessionsOf(world, groups, readyNodes(world)).flatMap(({ title, lines }): Reading[] => {
    const labels = { zone: title };
    const established = lines.filter(({ state }) => state === 'established').length;
    return [
      {
        ...{ name: 'bgp_sessions_wanted', help: 'BGP sessions that should be established.' },
        ...{ kind: 'gauge', value: lines.length, labels },
      },
      {
        ...{ name: 'bgp_sessions_established', help: 'BGP sessions that are established.' },
        ...{ kind: 'gauge', value: established, labels },
      },
    ];
  });
}

function routingReadings(world: World): readonly Reading[] {
  const decided = [...world.routingsDecided.values()];
  const byPhase = phases.map(
    (phase): Reading => ({
      ...{ name: 'bgp_routings', help: 'CUDNBgpRoutings by phase.', kind: 'gauge' },
      ...{ value: decided.filter((one) => one.phase === phase).length, labels: { phase } },
    }),
  );
  const claims = decided.filter(({ holds }) => holds).length;
  const help = 'Networks that a CUDNBgpRouting holds.';
  return [...byPhase, { name: 'bgp_claims', help, kind: 'gauge', value: claims }];
}
