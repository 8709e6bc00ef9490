/**
 * Tells of nodes whose annotations are there but cannot be read, and forgets nodes that are gone.
 */
import type { Saying } from '../../core/event.ts';
import type { Host } from './host.ts';
import type { World } from './world.ts';

export function tellHosts(world: World): readonly Saying[] {
  if (world.hostsToTell.size === 0) return [];
  const hosts = [...world.hostsToTell].sort((a, b) => (a.name < b.name ? -1 : 1));
  world.hostsToTell.clear();
  const says: Saying[] = [];
  for (const host of hosts) {
    if (host.problems.join('\n') !== host.judged.join('\n')) says.push(tellHost(host));
    if (isForgotten(host)) world.forgetHost(host);
  }
  return says;
}

/** What the cloud still has on a node that is gone takes room there, should it come back. */
function isForgotten({ exists, load, answered, cloudAddresses }: Host): boolean {
  return !exists && load === 0 && answered === undefined && cloudAddresses.size === 0;
}

function tellHost(host: Host): Saying {
  const { name, uid, problems } = host;
  host.judged = problems;
  const note = problems.join('; ');
  return {
    event: {
      kind: 'NodeJudged',
      name,
      uid,
      problems,
      notices:
        problems.length === 0 ? [] : [{ reason: 'InvalidNodeAnnotation', type: 'Warning', note }],
    },
    causes: [],
    said: problems.length === 0 ? 'annotations can be read again' : note,
  };
}
