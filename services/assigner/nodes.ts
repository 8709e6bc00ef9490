/** How a change of a node reaches everybody whom it concerns, and nobody else. */
import type { Cause } from '../../core/event.ts';
import type { Node, Probing } from '../../core/fact.ts';
import type { Host } from './host.ts';
import { seeNode as takeOver } from './seenode.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

/** Takes in a Node, or its end. */
export function seeNode(world: World, name: string, node: Node | undefined, cause: Cause): void {
  const excluded = node !== undefined && world.settings.excluded?.matches(node.labels) === true;
  changeHost(world, name, cause, (host) => takeOver(host, node, excluded, world.cloud));
}

/** Takes in what a probe found; undefined = the node is not probed any more. */
export function seeAnswer(
  world: World,
  name: string,
  reachable: boolean | undefined,
  because: string,
  cause: Cause,
): void {
  changeHost(world, name, cause, (host) => {
    host.answered = reachable;
    host.reachableBecause = because;
  });
}

/** Changes a node and stirs whoever lives there, waits for such a node, or collides with it. */
function changeHost(world: World, name: string, cause: Cause, change: (host: Host) => void): void {
  const host = world.host(name);
  const touched = new Set<Use>();
  const before = host.hostAddresses;
  world.pools.takeOut(host);
  world.uses.count(host, -1, touched);
  change(host);
  host.unprobed = world.probing === 'off';
  world.uses.count(host, 1, touched);
  world.pools.putBack(host);
  for (const claim of host.tenants.values()) world.stir(claim, cause);
  for (const use of touched) for (const claim of use.waiting) world.stir(claim, cause);
  for (const claim of world.rebalancers)
    if (claim.use !== undefined && touched.has(claim.use)) world.stir(claim, cause);
  compareHostAddresses(world, host, before, cause);
  world.hostsToTell.add(host);
}

/** Whoever wants an address that became a host address, or ceased to be one, is concerned. */
function compareHostAddresses(
  world: World,
  host: Host,
  before: readonly string[],
  cause: Cause,
): void {
  const after = host.hostAddresses;
  for (const address of before) {
    if (after.includes(address)) continue;
    world.hostAddresses.delete(address, host);
    world.stirWanters(address, cause);
  }
  for (const address of after) {
    if (before.includes(address)) continue;
    world.hostAddresses.add(address, host);
    world.stirWanters(address, cause);
  }
}

/** The first complete picture is there, or the way of probing changed: all is counted anew. */
export function sync(world: World, probing: Probing, kinds: readonly string[]): void {
  world.cloudSynced = kinds.includes('cloudprivateipconfigs');
  if (world.probing === probing) return;
  world.probing = probing;
  for (const host of world.hosts.values()) host.unprobed = probing === 'off';
  for (const use of world.uses) {
    world.pools.drop(use);
    world.uses.toCount.add(use);
  }
  for (const claim of world.claims.values()) world.stir(claim, undefined);
}
