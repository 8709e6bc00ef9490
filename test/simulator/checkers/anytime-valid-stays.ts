/**
 * At any time: what has been valid for as long as anybody can remember does not move (OKEP-6800).
 */
import { CLOUD_CLAIMS, EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import type { Change } from '../api-server.ts';
import type { Simulation } from '../simulation.ts';
import { type Item, mayHost, pastOf, readClaim, readEgressIP, readNode } from '../truth.ts';
import { windowMs } from '../window.ts';
import { isRoom, recently, removed } from './writes.ts';

const name = 'anytime-valid-stays';

export const validStays = (): Checker => ({
  name,
  onChange: (world, change) => {
    if (change.collection !== EGRESSIPS || change.type === 'DELETED' || !isRoom(change.by)) return;
    for (const item of removed(change)) {
      world.sometimes('an address left a node');
      if (wasValid(world, change, item))
        world.fail(name, `${item.egressIP} of ${change.object.metadata.name} leaves ${item.node}`);
    }
  },
});

/** Without interruption, and nobody else had a claim to the address. */
function wasValid(world: Simulation, { object }: Change, item: Item): boolean {
  const { scheduler, server, ports, shape } = world;
  const { egressIP, node } = item;
  const sinceMs = scheduler.nowMs - windowMs(world.plan);
  const own = object.metadata.name;
  if ([own, egressIP].some((key) => recently(world, key))) return false;
  const specs = pastOf(server.history, EGRESSIPS, own, sinceMs);
  const nodes = pastOf(server.history, NODES, node, sinceMs);
  if (shape.probing !== 'off' && (ports.failedMs.get(node) ?? -Infinity) >= sinceMs) return false;
  if (isContested(world, own, egressIP, sinceMs) || isCloudy(world, item, sinceMs)) return false;
  return specs.every(({ object: spec }) =>
    nodes.every(({ object: host }) => {
      if (spec === undefined || host === undefined) return false;
      const wants = readEgressIP(spec);
      const seen = readNode(host, shape.cloud);
      const held = wants.items.some((one) => one.egressIP === egressIP && one.node === node);
      const last = specs.at(-1)?.object === spec;
      const siblings = wants.items.filter((one) => one.node === node).length;
      if (!(held || last) || siblings > 1 || seen.drained || seen.capacity < 10) return false;
      return mayHost(seen, wants, egressIP);
    }),
  );
}

function isContested(world: Simulation, own: string, address: string, sinceMs: number): boolean {
  const names = new Set(
    world.server.history
      .filter(({ collection }) => collection === EGRESSIPS)
      .map(({ object }) => object.metadata.name),
  );
  names.delete(own);
  return [...names].some((other) =>
    pastOf(world.server.history, EGRESSIPS, other, sinceMs).some(({ object }) => {
      if (object === undefined) return false;
      const { wanted, items } = readEgressIP(object);
      return wanted.includes(address) || items.some(({ egressIP }) => egressIP === address);
    }),
  );
}

/** The cloud did not confirm it all the time. */
function isCloudy(world: Simulation, { egressIP, node }: Item, sinceMs: number): boolean {
  if (!world.shape.cloud) return false;
  return pastOf(world.server.history, CLOUD_CLAIMS, egressIP, sinceMs).some(({ object }) => {
    if (object === undefined) return true;
    const { assigned, statusNode } = readClaim(object);
    return assigned !== 'True' || statusNode !== node;
  });
}
