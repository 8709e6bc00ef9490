/** Not a judge: notes what has to happen in some seeds, or they test less than they seem to. */
import { EGRESSIPS } from '../../../edge/simulated/admission.ts';
import type { Change } from '../api-server.ts';
import type { Checker } from '../checker.ts';
import type { Append } from '../log-server.ts';
import type { Simulation } from '../simulation.ts';
import { readEgressIP } from '../truth.ts';
import { added, isRoom } from './writes.ts';

export function sometimesChecker(): Checker {
  /** Address → who had it last, and where. */
  const last = new Map<string, { name: string; node: string }>();
  const refused = new Set<string>();
  const listed = new Set<string>();
  const watched = new Set<string>();
  return {
    name: 'sometimes',
    onChange: (world, change) => {
      if (change.collection === EGRESSIPS) learn(world, change, last);
    },
    onAppend: (world, append) => hear(world, append, refused),
    onServed: (world, by, { method, path }, { status }) => {
      if (status >= 400 && method === 'PATCH' && path.startsWith(EGRESSIPS))
        world.sometimes('a write was refused');
      if (by.dead) world.sometimes('a write of the dead arrived');
    },
    onSeen: (world, by, collection, [first]) => {
      const key = `${by.name} ${collection}`;
      if (first?.kind !== 'Listed') return;
      if (listed.has(key)) world.sometimes('a list was asked for again');
      listed.add(key);
    },
    onWatch: (world, by, collection) => {
      const key = `${by.name} ${collection}`;
      if (watched.has(key)) world.sometimes('a watch went on where it had ended');
      watched.add(key);
    },
  };
}

function learn(
  world: Simulation,
  change: Change,
  last: Map<string, { name: string; node: string }>,
): void {
  if (change.type === 'DELETED') return;
  const { name, wanted } = readEgressIP(change.object);
  const others = world.server.list(EGRESSIPS).filter((one) => one.metadata.name !== name);
  if (others.some((one) => readEgressIP(one).wanted.some((address) => wanted.includes(address))))
    world.sometimes('two EgressIPs wanted one address');
  if (!isRoom(change.by)) return;
  for (const { egressIP, node } of added(change)) {
    const before = last.get(egressIP);
    last.set(egressIP, { name, node });
    if (before !== undefined && before.name !== name)
      world.sometimes('an address went to another EgressIP');
    else if (before !== undefined && before.node !== node)
      world.sometimes('an address moved to another node');
  }
}

function hear(world: Simulation, { heard }: Append, refused: Set<string>): void {
  const { event } = heard;
  if (event.kind === 'ProberSeen' && event.isolated) world.sometimes('the prober doubted itself');
  if (event.kind === 'EgressIPPublished' && event.failure !== '')
    world.sometimes('a write failed and was tried again');
  if (event.kind !== 'EgressIPDecided') return;
  if (/adopted/.test(heard.said)) world.sometimes('homes were adopted from the cluster');
  for (const { address } of event.placements)
    if (refused.delete(`${event.name} ${address}`))
      world.sometimes('an address was refused, and placed later');
  for (const { address } of event.refusals) refused.add(`${event.name} ${address}`);
}
