/** Eventually: the facts on the log are what the cluster is. */
import { isDeepStrictEqual } from 'node:util';
import { EGRESSIPS, NODES } from '../../../edge/simulated/admission.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';
import { readEgressIP, readNode } from '../truth.ts';

export const factsTrue = (): Checker => ({
  name: 'eventually-facts-true',
  eventually: judge,
  finally: judge,
});

function judge(world: Simulation): readonly string[] {
  const told = new Map<string, unknown>();
  const answers = new Map<string, boolean>();
  for (const { event } of world.log.lasts('watcher')) {
    if (event.kind === 'NodeSeen') {
      const { name, uid, labels, ready } = event.node;
      told.set(`node ${name}`, { uid, ready, labels: { ...labels } });
    } else if (event.kind === 'EgressIPSeen') {
      const { name, uid, items } = event.egressIP;
      told.set(`egressip ${name}`, { uid, items: items.map((item) => ({ ...item })) });
    } else if (event.kind === 'ReachabilitySeen') answers.set(event.name, event.reachable);
  }
  const seen = new Map<string, unknown>();
  const nodes = world.server.list(NODES).map((one) => readNode(one, world.shape.cloud));
  for (const { name, uid, labels, ready } of nodes)
    seen.set(`node ${name}`, { uid, ready, labels });
  for (const object of world.server.list(EGRESSIPS)) {
    const { name, uid, items } = readEgressIP(object);
    seen.set(`egressip ${name}`, { uid, items });
  }
  const names = new Set([...told.keys(), ...seen.keys()]);
  const wrong = [...names].filter((name) => !isDeepStrictEqual(told.get(name), seen.get(name)));
  return wrong.map(
    (name) =>
      `${name}: told ${JSON.stringify(told.get(name))}, is ${JSON.stringify(seen.get(name))}`,
  );
}
