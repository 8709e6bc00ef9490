/** Eventually: every address that can have a node has one, and the node is good for it. */
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';
import { mayHost, readEgressIP, readNode, type SeenEgressIP, type SeenNode } from '../truth.ts';

const name = 'eventually-assigned';

export const assigned = (): Checker => ({ name, eventually: judge, finally: judge });

function judge(world: Simulation): readonly string[] {
  const nodes = world.server.list(NODES).map((one) => readNode(one, world.shape.cloud));
  const egressIPs = world.server.list(EGRESSIPS).map(readEgressIP);
  const holders = new Map<string, string[]>();
  for (const { name: own, items } of egressIPs)
    for (const { egressIP } of items)
      holders.set(egressIP, [...(holders.get(egressIP) ?? []), own]);
  const twice = [...holders].filter(([, names]) => names.length > 1);
  return [
    ...twice.map(([address, names]) => `${address} is in ${names.join(' and ')}`),
    ...egressIPs.flatMap((one) => wrongItems(world, one, nodes)),
    ...egressIPs.flatMap((one) => leftOut(world, one, nodes, egressIPs)),
  ];
}

const answers = (world: Simulation, { name: node }: SeenNode): boolean =>
  world.shape.probing === 'off' || world.ports.answers(node);

function wrongItems(
  world: Simulation,
  wants: SeenEgressIP,
  nodes: readonly SeenNode[],
): readonly string[] {
  const taken = wants.items.map(({ node }) => node);
  const together = new Set(taken).size < taken.length ? [`${wants.name} on ${taken.join()}`] : [];
  const wrong = wants.items.filter(({ egressIP, node }) => {
    const host = nodes.find((one) => one.name === node);
    if (host === undefined || !mayHost(host, wants, egressIP)) return true;
    return !answers(world, host) && !isIsolated(world, nodes);
  });
  return [...together, ...wrong.map((item) => `${wants.name} has ${JSON.stringify(item)}`)];
}

/** Most of the Ready nodes are silent: then the prober suspects itself and holds. */
function isIsolated(world: Simulation, nodes: readonly SeenNode[]): boolean {
  const ready = nodes.filter((node) => node.ready);
  return ready.filter((node) => !world.ports.answers(node.name)).length * 2 >= ready.length;
}

function leftOut(
  world: Simulation,
  wants: SeenEgressIP,
  nodes: readonly SeenNode[],
  all: readonly SeenEgressIP[],
): readonly string[] {
  const items = all.flatMap((one) => one.items);
  return wants.wanted
    .filter((address) => !items.some(({ egressIP }) => egressIP === address))
    .flatMap((address) => {
      const open = nodes.filter((node) => {
        const load = items.filter((item) => item.node === node.name).length;
        if (!mayHost(node, wants, address) || !answers(world, node)) return false;
        if (world.shape.cloud && (node.drained || load >= node.capacity)) return false;
        return !wants.items.some((item) => item.node === node.name);
      });
      return open.length === 0 || isResting(world, address)
        ? []
        : [`${address} of ${wants.name} could be on ${open.map((one) => one.name).join()}`];
    });
}

/** The cloud refused it a while ago: the node is left in peace. */
const isResting = (world: Simulation, address: string): boolean =>
  world.log
    .lasts('assigner')
    .some(
      ({ event }) =>
        event.kind === 'EgressIPDecided' && event.rests.some((rest) => rest.address === address),
    );
