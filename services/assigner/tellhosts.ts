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
    if (!host.exists && host.load === 0 && host.answered === undefined) world.forgetHost(host);
  }
  return says;
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
