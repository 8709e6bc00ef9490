/** Kubernetes objects as facts: only what is news to somebody here, always in the same order. */
import { CLOUD_OWNER, egressIPAnnotations, nodeAnnotations } from '../../core/annotation.ts';
import type { KubeObject } from '../../core/door.ts';
import type { CloudClaim, EgressIP, Item, Labels, LabelSelector, Node } from '../../core/fact.ts';
import { isObject, listOf, property, textOf } from '../../core/json.ts';

export function nodeOf(object: KubeObject): Node {
  return {
    name: object.metadata.name,
    uid: object.metadata.uid,
    labels: textsOf(property(object.metadata, 'labels')),
    ready: isReady(property(object['status'], 'conditions')),
    annotations: pick(property(object.metadata, 'annotations'), nodeAnnotations),
    providerID: textOf(property(object['spec'], 'providerID')),
    internalIPs: internalIPsOf(property(object['status'], 'addresses')),
  };
}

function internalIPsOf(addresses: unknown): readonly string[] {
  const internal = listOf(addresses).filter((one) => property(one, 'type') === 'InternalIP');
  return internal.map((one) => textOf(property(one, 'address')));
}

/** The first condition of type Ready has status True (`spec/egressip.md` 1.2). */
function isReady(conditions: unknown): boolean {
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
    deleting: textOf(property(metadata, 'deletionTimestamp')) !== '',
  };
}

/** Milliseconds since 1970; 0 where there is no time. */
const momentOf = (time: unknown): number => Date.parse(textOf(time)) || 0;

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

/** A map of texts with its keys in order. */
function textsOf(value: unknown): Labels {
  if (!isObject(value)) return {};
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, String(value[key])]));
}

function pick(value: unknown, keys: readonly string[]): Labels {
  const all = textsOf(value);
  const present = keys.filter((key) => Object.hasOwn(all, key));
  return Object.fromEntries(present.map((key) => [key, all[key] ?? '']));
}
