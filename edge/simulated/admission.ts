/** What the API server makes of an object before it stores it: defaults, and what it refuses. */
import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '../../core/address.ts';
import type { Collection } from '../../core/door.ts';
import { isObject, type JsonObject, property, textOf } from '../../core/json.ts';

export const NODES: Collection = '/api/v1/nodes';
export const EGRESSIPS: Collection = '/apis/k8s.ovn.org/v1/egressips';
export const EVENTS: Collection = '/apis/events.k8s.io/v1/namespaces/default/events';

/** Both are there where OpenShift runs on a cloud (`spec/egressip.md` 1.6, 2.2). */
export const CLOUD_CLAIMS: Collection = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
export const INFRASTRUCTURES: Collection = '/apis/config.openshift.io/v1/infrastructures';

/** The default of the CRD (OKEP-6800): applied when the field is absent, not when it is `{}`. */
const egressNodeSelector = {
  matchExpressions: [{ key: 'k8s.ovn.org/egress-assignable', operator: 'Exists' }],
};

/** Fills in what the schema of the kind says. */
export function withDefaults(collection: Collection, object: JsonObject): JsonObject {
  const spec = property(object, 'spec');
  if (collection !== EGRESSIPS || !isObject(spec)) return object;
  const chosen = property(spec, 'egressNodeSelector');
  if (chosen !== undefined && chosen !== null) return object;
  return { ...object, spec: { ...spec, egressNodeSelector } };
}

/** Why the object is invalid (the API server answers 422), or undefined. */
export function problemOf(collection: Collection, object: JsonObject): string | undefined {
  if (collection.endsWith('/events')) return problemOfEvent(object);
  if (collection === CLOUD_CLAIMS) return problemOfCloudClaim(object);
  return collection === EGRESSIPS ? problemOfEgressIP(object) : undefined;
}

const sixName = /^[0-9a-f]{4}(\.[0-9a-f]{4}){7}$/;

/** The schema of CloudPrivateIPConfig (`spec/egressip.md` 2.2). */
function problemOfCloudClaim(object: JsonObject): string | undefined {
  const name = textOf(property(property(object, 'metadata'), 'name'));
  const four = !name.includes(':') && parseAddress(name)?.text === name;
  if (!four && !sixName.test(name)) return `metadata.name: Invalid value: "${name}"`;
  const spec = property(object, 'spec');
  if (!isObject(spec)) return 'spec: Required value';
  if (typeof property(spec, 'node') !== 'string') return 'spec.node: Invalid value';
  const status = property(object, 'status');
  if (status === undefined || Array.isArray(property(status, 'conditions'))) return undefined;
  return 'status.conditions: Required value';
}

function problemOfEgressIP(object: JsonObject): string | undefined {
  const spec = property(object, 'spec');
  if (!isObject(spec)) return 'spec: Required value';
  const addresses = property(spec, 'egressIPs');
  if (!isTexts(addresses)) return 'spec.egressIPs: Invalid value: must be of type array of string';
  if (!isObject(property(spec, 'namespaceSelector')))
    return 'spec.namespaceSelector: Required value';
  const status = property(object, 'status');
  if (status === undefined) return undefined;
  const items = property(status, 'items');
  if (!Array.isArray(items)) return 'status.items: Required value';
  const whole = (items as readonly unknown[]).every(
    (item) =>
      typeof property(item, 'egressIP') === 'string' && typeof property(item, 'node') === 'string',
  );
  return whole ? undefined : 'status.items: Required value: egressIP and node';
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && (value as readonly unknown[]).every((text) => typeof text === 'string');

/** The rules of events.k8s.io/v1 for new Events. */
function problemOfEvent(event: JsonObject): string | undefined {
  const regarding = property(event, 'regarding');
  const namespace = property(regarding, 'namespace') ?? '';
  if (namespace !== '' && namespace !== 'default')
    return 'regarding.namespace: does not match event.namespace';
  if (typeof event['eventTime'] !== 'string') return 'eventTime: Required value';
  for (const key of ['reportingController', 'reportingInstance', 'action', 'reason']) {
    const text = event[key];
    if (typeof text !== 'string' || text === '') return `${key}: Required value`;
    if (text.length > 128) return `${key}: can have at most 128 characters`;
  }
  if (event['type'] !== 'Normal' && event['type'] !== 'Warning') return 'type: Invalid value';
  const note = event['note'] ?? '';
  if (typeof note !== 'string') return 'note: Invalid value';
  return note.length > 1024 ? 'note: can have at most 1024 characters' : undefined;
}

/**
 * What a write may change: with a status subresource the object's own path leaves the status alone,
 * and the path of the status leaves everything else alone.
 */
export function admit(
  before: JsonObject,
  after: JsonObject,
  writes: 'object' | 'status' | 'all',
): JsonObject {
  if (writes === 'all') return after;
  const { status: oldStatus, ...old } = before;
  const { status: newStatus, ...fresh } = after;
  const [rest, status] = writes === 'object' ? [fresh, oldStatus] : [old, newStatus];
  return status === undefined ? rest : { ...rest, status };
}

/** Whether nothing but the version differs: such a write changes nothing and nobody hears of it. */
export function isSame(before: JsonObject, after: JsonObject): boolean {
  return isDeepStrictEqual(bare(before), bare(after));
}

function bare(object: JsonObject): JsonObject {
  const metadata = property(object, 'metadata');
  if (!isObject(metadata)) return object;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
