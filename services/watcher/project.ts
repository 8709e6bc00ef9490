/** Kubernetes objects as facts: only what is news to somebody here, always in the same order. */
import { CLOUD_OWNER, egressIPAnnotations, nodeAnnotations } from '../../core/annotation.ts';
import type { KubeObject } from '../../core/door.ts';
import { drainedBy } from '../../core/drained.ts';
import type { CloudClaim, EgressIP, Item, LabelSelector, Node } from '../../core/fact.ts';
import { isObject, listOf, property, textOf } from '../../core/json.ts';
import { isDeleting, momentOf, pick, textsOf } from '../../core/metadata.ts';

/** `drainOn` = what drains a node besides its annotation (`core/drained.ts`). */
export function nodeOf(object: KubeObject, drainOn: readonly string[] = []): Node {
  const annotations = pick(property(object.metadata, 'annotations'), nodeAnnotations);
  return {
    name: object.metadata.name,
    uid: object.metadata.uid,
    labels: textsOf(property(object.metadata, 'labels')),
    ready: isReady(property(object['status'], 'conditions')),
    annotations,
    providerID: textOf(property(object['spec'], 'providerID')),
    internalIPs: internalIPsOf(property(object['status'], 'addresses')),
    drained: drainedBy(annotations, object['spec'], drainOn),
  };
}

function internalIPsOf(addresses: unknown): readonly string[] {
  const internal = listOf(addresses).filter((one) => property(one, 'type') === 'InternalIP');
  return internal.map((one) => textOf(property(one, 'address')));
}

/** The first condition of type Ready has status True (`spec/egressip.md` 1.2). */
export function isReady(conditions: unknown): boolean {
  const ready = listOf(conditions).find((one) => property(one, 'type') === 'Ready');
  return property(ready, 'status') === 'True';
}

export function egressIPOf(object: KubeObject): EgressIP {
  const spec = object['spec'];
  const selector = property(spec, 'egressNodeSelector');
  return {
    name: object.metadata.name,
    uid: object.metadata.uid,
    createdMs: momentOf(property(object.metadata, 'creationTimestamp')),
    addresses: listOf(property(spec, 'egressIPs')).map(String),
    nodeSelector: isObject(selector) ? selectorOf(selector) : undefined,
    items: listOf(property(object['status'], 'items')).map(itemOf),
    annotations: pick(property(object.metadata, 'annotations'), egressIPAnnotations),
  };
}

/** `spec/egressip.md` 2.2: only the condition Assigned means anything. */
export function cloudClaimOf(object: KubeObject): CloudClaim {
  const { metadata, status } = object as KubeObject & { readonly status?: unknown };
  const conditions = listOf(property(status, 'conditions'));
  const assigned = conditions.find((one) => property(one, 'type') === 'Assigned');
  return {
    name: metadata.name,
    uid: metadata.uid,
    owner: textOf(property(property(metadata, 'annotations'), CLOUD_OWNER)),
    node: textOf(property(object['spec'], 'node')),
    statusNode: textOf(property(status, 'node')),
    assigned: textOf(property(assigned, 'status')),
    message: textOf(property(assigned, 'message')),
    sinceMs: momentOf(property(assigned, 'lastTransitionTime')),
    deleting: isDeleting(metadata),
  };
}

function itemOf(item: unknown): Item {
  return { egressIP: textOf(property(item, 'egressIP')), node: textOf(property(item, 'node')) };
}

function selectorOf(selector: unknown): LabelSelector {
  return {
    matchLabels: textsOf(property(selector, 'matchLabels')),
    matchExpressions: listOf(property(selector, 'matchExpressions')).map((one) => ({
      key: textOf(property(one, 'key')),
      operator: textOf(property(one, 'operator')),
      values: listOf(property(one, 'values')).map(String),
    })),
  };
}
