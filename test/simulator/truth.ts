/**
 * What the objects of the simulated cluster mean, read by the judges' own rules and nobody else's.
 */
import type { Collection, KubeObject } from '../../core/door.ts';
import { ASSIGNABLE, MARK, OWNER } from './objects.ts';

type Json = Record<string, unknown>;

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Json | undefined | null)?.[key], value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export interface Item {
  readonly egressIP: string;
  readonly node: string;
}

export interface SeenEgressIP {
  readonly name: string;
  readonly uid: string;
  /** Each once, without what is no address. */
  readonly wanted: readonly string[];
  readonly items: readonly Item[];
  readonly mark: string;
  matches(labels: Readonly<Record<string, string>>): boolean;
}

export interface SeenNode {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ready: boolean;
  readonly drained: boolean;
  readonly capacity: number;
  /** `10.0.0` of each network that it can host. */
  readonly networks: readonly string[];
}

export interface SeenClaim {
  readonly name: string;
  readonly owner: string;
  readonly node: string;
  readonly statusNode: string;
  readonly assigned: string;
  readonly deleting: boolean;
}

export function readEgressIP(object: KubeObject): SeenEgressIP {
  const { name, uid } = object.metadata;
  const spec = object['spec'];
  const wanted = list(at(spec, 'egressIPs')).map(text);
  const selector = at(spec, 'egressNodeSelector');
  const annotations = at(object.metadata, 'annotations') as Json | undefined;
  return {
    name,
    uid,
    wanted: [...new Set(wanted)].filter((one) => /^\d+(\.\d+){3}$/.test(one)),
    items: list(at(object['status'], 'items')) as readonly Item[],
    mark: text(annotations?.[MARK]),
    matches: (labels) => selects(selector, labels),
  };
}

/** As the worlds of the simulation use selectors: equality, Exists, and In without values. */
function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return Object.hasOwn(labels, ASSIGNABLE);
  const equal = Object.entries((at(selector, 'matchLabels') ?? {}) as Record<string, string>);
  if (!equal.every(([key, value]) => labels[key] === value)) return false;
  return list(at(selector, 'matchExpressions')).every((one) => {
    const key = text(at(one, 'key'));
    if (at(one, 'operator') === 'Exists') return Object.hasOwn(labels, key);
    return list(at(one, 'values')).includes(labels[key] ?? '');
  });
}

const prefix = (address: string): string => address.slice(0, address.lastIndexOf('.'));

export function readNode(object: KubeObject, cloud: boolean): SeenNode {
  const { name, uid } = object.metadata;
  const annotations = (at(object.metadata, 'annotations') ?? {}) as Record<string, string>;
  const hosts = JSON.parse(annotations['k8s.ovn.org/host-cidrs'] ?? '[]') as string[];
  const own = JSON.parse(annotations['k8s.ovn.org/node-primary-ifaddr'] ?? '{}') as Json;
  const config = JSON.parse(
    annotations['cloud.network.openshift.io/egress-ipconfig'] ?? '[{}]',
  ) as Json[];
  const networks = cloud ? [text(at(config[0], 'ifaddr', 'ipv4'))] : [text(own['ipv4']), ...hosts];
  const conditions = list(at(object['status'], 'conditions'));
  return {
    name,
    uid,
    labels: (at(object.metadata, 'labels') ?? {}) as Record<string, string>,
    ready: conditions.some((one) => at(one, 'type') === 'Ready' && at(one, 'status') === 'True'),
    drained: annotations['sluice.dev/drain'] === 'true',
    capacity: cloud ? Number(at(config[0], 'capacity', 'ip') ?? Infinity) : Infinity,
    networks: hosts.length === 0 ? [] : networks.map(prefix),
  };
}

export function readClaim(object: KubeObject): SeenClaim {
  const annotations = at(object.metadata, 'annotations') as Json | undefined;
  const [condition] = list(at(object['status'], 'conditions'));
  return {
    name: object.metadata.name,
    owner: text(annotations?.[OWNER]),
    node: text(at(object['spec'], 'node')),
    statusNode: text(at(object['status'], 'node')),
    assigned: text(at(condition, 'status')),
    deleting: at(object.metadata, 'deletionTimestamp') !== undefined,
  };
}

/** Whether the node could host the address as far as the objects tell. */
export const mayHost = (node: SeenNode, wants: SeenEgressIP, address: string): boolean =>
  wants.wanted.includes(address) &&
  wants.matches(node.labels) &&
  node.ready &&
  node.networks.includes(prefix(address));

/** One object as it was for a while; undefined = it was not there. */
export interface Was {
  readonly sinceMs: number;
  readonly object: KubeObject | undefined;
}

interface Told {
  readonly collection: Collection;
  readonly type: string;
  readonly object: KubeObject;
  readonly atMs: number;
}

/** What the object was since then, the first one included that still held at that time. */
export function pastOf(
  history: readonly Told[],
  collection: Collection,
  name: string,
  sinceMs: number,
): readonly Was[] {
  let past: Was[] = [{ sinceMs: -Infinity, object: undefined }];
  for (const change of history) {
    if (change.collection !== collection || change.object.metadata.name !== name) continue;
    const object = change.type === 'DELETED' ? undefined : change.object;
    const was = { sinceMs: change.atMs, object };
    past = change.atMs <= sinceMs ? [was] : [...past, was];
  }
  return past;
}
