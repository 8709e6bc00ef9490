/** The Kubernetes objects that a vector describes. */
import { EGRESSIP_MARK } from '../../core/annotation.ts';
import type { JsonObject } from '../../core/json.ts';
import { LAST_VALID } from '../../services/assigner/marks.ts';
import type { Item, Vector, VectorEgressIP, VectorNode } from './format.ts';

export function nodeObject({ name, labels, annotations, ready }: VectorNode): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, annotations },
    status: { conditions: conditionsFor(ready) },
  };
}

/** 'missing' = the node has no Ready condition at all. */
export function conditionsFor(ready: VectorNode['ready']): readonly JsonObject[] {
  const pressure = { type: 'MemoryPressure', status: 'False' };
  if (ready === 'missing') return [pressure];
  const status = ready === 'Unknown' ? ready : ready ? 'True' : 'False';
  return [pressure, { type: 'Ready', status }];
}

export function egressIPObject({ name, spec, status, annotations }: VectorEgressIP): JsonObject {
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'EgressIP',
    metadata: { name, annotations: annotations ?? {} },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

/**
 * What the tests of upstream put into its allocator: objects that have these addresses already.
 * They bring marks from the far end, so that they take none that a vector counts on.
 */
export function seededEgressIPs({ seedAllocations, egressips }: Vector): readonly VectorEgressIP[] {
  const items = new Map<string, Item[]>();
  for (const [node, addresses] of Object.entries(seedAllocations ?? {}))
    for (const [egressIP, name] of Object.entries(addresses))
      items.set(name, [...(items.get(name) ?? []), { egressIP, node }]);
  const given = new Set(egressips.map(({ name }) => name));
  return [...items]
    .filter(([name]) => !given.has(name))
    .map(([name, owned], index) => ({
      name,
      annotations: { [EGRESSIP_MARK]: String(LAST_VALID - index) },
      spec: {
        egressIPs: owned.map(({ egressIP }) => egressIP),
        namespaceSelector: { matchLabels: { name: 'somebody' } },
      },
      status: { items: owned },
    }));
}
