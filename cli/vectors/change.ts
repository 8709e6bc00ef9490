/** What the steps of a vector do to the simulated cluster. */
import { property } from '../../core/json.ts';
import { EGRESSIPS, NODES } from '../../edge/simulated/admission.ts';
import type { SimulatedWorld } from '../../edge/simulated/world.ts';
import { letGo, tellStatus } from './cloud.ts';
import type { Step, VectorNode } from './format.ts';
import { conditionsFor, egressIPObject, nodeObject } from './objects.ts';

export function change(
  world: SimulatedWorld,
  step: Exclude<Step, { op: 'expect' | 'healthTick' }>,
): void {
  const { cluster, prober } = world;
  switch (step.op) {
    case 'createNode':
      return addNode(world, step.node);
    case 'updateNode':
      return updateNode(world, step);
    case 'deleteNode':
      return remove(world, `${NODES}/${step.name}`);
    case 'setReachable':
      return prober.setReachable(step.node, step.reachable);
    case 'createEgressIP':
      return cluster.set(EGRESSIPS, step.egressip.name, egressIPObject(step.egressip));
    case 'updateEgressIP': {
      const old = cluster.get(EGRESSIPS, step.name);
      const spec = { ...(property(old, 'spec') as object), ...step.spec };
      const status = step.status === undefined ? {} : { status: step.status };
      return cluster.set(EGRESSIPS, step.name, { ...old, spec, ...status });
    }
    case 'deleteEgressIP':
      return remove(world, `${EGRESSIPS}/${step.name}`);
    case 'cpicStatus':
      return tellStatus(world, step.name, step.status);
    case 'cpicGone':
      return letGo(world, step.name);
  }
}

export function addNode({ cluster, prober }: SimulatedWorld, node: VectorNode): void {
  cluster.set(NODES, node.name, nodeObject(node));
  prober.setReachable(node.name, node.reachable);
}

function remove({ cluster }: SimulatedWorld, path: string): void {
  cluster.act({ method: 'DELETE', path, contentType: '', body: undefined });
}

/** Labels are replaced as a whole; annotations are merged, and null removes one. */
function updateNode(
  { cluster }: SimulatedWorld,
  { name, labels, annotations, ready }: Extract<Step, { op: 'updateNode' }>,
): void {
  const old = cluster.get(NODES, name);
  const merged = { ...(property(old?.metadata, 'annotations') as object), ...annotations };
  const kept = Object.entries(merged).filter(([, value]) => value !== null);
  const metadata = {
    ...old?.metadata,
    labels: labels ?? property(old?.metadata, 'labels'),
    annotations: Object.fromEntries(kept),
  };
  const status = ready === undefined ? {} : { status: { conditions: conditionsFor(ready) } };
  cluster.set(NODES, name, { ...old, metadata, ...status });
}
