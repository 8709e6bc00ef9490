/** What users and nodes do to a cluster, each at a time of the plan. */
import type { KubeObject } from '../../core/door.ts';
import { isObject, type JsonObject, property } from '../../core/json.ts';
import { EGRESSIPS, NODES } from '../../edge/simulated/admission.ts';
import type { ApiServer } from './api-server.ts';
import type { Draw } from './draw.ts';
import {
  egressIPNames,
  egressIPSpec,
  type NodeTraits,
  nodeNames,
  nodeObject,
  nodeTraits,
  selectings,
  selectorOf,
  wantedAddresses,
} from './objects.ts';
import type { Shape } from './plan.ts';
import type { Ports } from './probe-door.ts';
import type { Field } from './routing/field.ts';
import { routerLabels } from './routing/objects.ts';

export interface Land {
  readonly server: ApiServer;
  readonly ports: Ports;
  readonly shape: Shape;
  /** Where it routes by BGP. */
  readonly field?: Field | undefined;
}

export const deeds = [
  'egress IP applied',
  'addresses changed',
  'selector changed',
  'egress IP deleted',
  'egress IP replaced',
  'node applied',
  'node label changed',
  'node readiness changed',
  'node stops answering',
  'node answers again',
  'node deleted',
  'node replaced',
  'node heartbeat',
] as const;

export type Deed = (typeof deeds)[number];

const acts: Readonly<Record<Deed, (land: Land, chance: Draw) => string>> = {
  'egress IP applied': (land, chance) => {
    const name = chance.one(egressIPNames.slice(0, land.shape.egressIPs));
    return applyEgressIP(land, name, chance);
  },
  'addresses changed': (land, chance) =>
    changeSpec(land, chance, () => ({ egressIPs: wantedAddresses(chance) })),
  'selector changed': (land, chance) =>
    changeSpec(land, chance, () => ({ egressNodeSelector: selectorOf(chance.one(selectings)) })),
  'egress IP deleted': (land, chance) => remove(land, EGRESSIPS, chance),
  'egress IP replaced': (land, chance) => {
    const name = remove(land, EGRESSIPS, chance);
    return name === '' ? '' : applyEgressIP(land, name, chance);
  },
  'node applied': (land, chance) =>
    applyNode(land, chance.one(nodeNames.slice(0, land.shape.nodes)), chance),
  'node label changed': (land, chance) =>
    changeNode(land, chance, (traits) => ({ ...traits, ready: 'True', broken: false })),
  'node readiness changed': (land, chance) => {
    const node = oneOf(land.server.list(NODES), chance);
    if (node === undefined) return '';
    const status = chance.one(['True', 'False', 'Unknown']);
    const conditions = [{ type: 'Ready', status }];
    const changed = { ...node, status: { ...(node['status'] as object), conditions } };
    land.server.set(NODES, node.metadata.name, changed);
    return `${node.metadata.name} Ready=${status}`;
  },
  'node stops answering': ({ server, ports }, chance) => {
    const node = oneOf(server.list(NODES), chance)?.metadata.name ?? '';
    ports.setReachable(node, false);
    return node;
  },
  'node answers again': ({ ports }, chance) => {
    const silent = nodeNames.filter((name) => !ports.answers(name));
    for (const name of silent.slice(0, chance.between(0, 5))) ports.setReachable(name, true);
    return silent.join();
  },
  'node deleted': (land, chance) => remove(land, NODES, chance),
  'node replaced': (land, chance) => {
    const name = remove(land, NODES, chance);
    return name === '' ? '' : applyNode(land, name, chance);
  },
  'node heartbeat': ({ server }, chance) => {
    const node = oneOf(server.list(NODES), chance);
    if (node === undefined) return '';
    const annotations = property(node.metadata, 'annotations');
    const beat = {
      ...(isObject(annotations) ? annotations : {}),
      'example.com/heartbeat': `${chance.next()}`,
    };
    server.set(NODES, node.metadata.name, {
      ...node,
      metadata: { ...node.metadata, annotations: beat },
    });
    return node.metadata.name;
  },
};

/** Returns what was done, in a few words. */
export const act = (deed: Deed, land: Land, chance: Draw): string => acts[deed](land, chance);

export const isDeed = (kind: string): kind is Deed => Object.hasOwn(acts, kind);

/** The cluster before anybody does anything. */
export function settle(land: Land, chance: Draw): void {
  for (const name of nodeNames.slice(0, land.shape.nodes)) applyNode(land, name, chance);
  for (const name of egressIPNames.slice(0, land.shape.egressIPs))
    if (chance.chance(0.7)) applyEgressIP(land, name, chance);
}

const oneOf = (objects: readonly KubeObject[], chance: Draw): KubeObject | undefined =>
  objects.length === 0 ? undefined : chance.one(objects);

function applyEgressIP({ server }: Land, name: string, chance: Draw): string {
  const wanted = wantedAddresses(chance);
  const selecting = chance.one(selectings);
  const known = server.get(EGRESSIPS, name);
  server.set(EGRESSIPS, name, { ...known, spec: egressIPSpec(wanted, selecting) });
  return `${name} ${wanted.join()} on ${selecting}`;
}

function changeSpec({ server }: Land, chance: Draw, change: () => JsonObject): string {
  const known = oneOf(server.list(EGRESSIPS), chance);
  if (known === undefined) return '';
  const { egressNodeSelector, ...rest } = known['spec'] as JsonObject;
  const spec = { ...rest, egressNodeSelector, ...change() };
  server.set(EGRESSIPS, known.metadata.name, {
    ...known,
    spec: JSON.parse(JSON.stringify(spec)) as JsonObject,
  });
  return `${known.metadata.name} ${JSON.stringify(spec.egressNodeSelector)}`;
}

function remove({ server }: Land, collection: string, chance: Draw): string {
  const name = oneOf(server.list(collection), chance)?.metadata.name;
  if (name === undefined) return '';
  const path = `${collection}/${name}`;
  server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, 'user');
  return name;
}

function applyNode(land: Land, name: string, chance: Draw): string {
  const traits = nodeTraits(chance);
  land.server.set(NODES, name, nodeIn(land, name, traits));
  return `${name} ${traits.zone} ready=${traits.ready}`;
}

/** The object of a node in this land. */
export function nodeIn(
  { shape, field }: Pick<Land, 'shape' | 'field'>,
  name: string,
  traits: NodeTraits,
): JsonObject {
  const router = field && {
    labels: routerLabels(name, traits.beat),
    ...field.nodeParts(name),
  };
  return nodeObject(name, traits, shape.cloud, router);
}

function changeNode(
  land: Land,
  chance: Draw,
  change: (traits: ReturnType<typeof nodeTraits>) => ReturnType<typeof nodeTraits>,
): string {
  const name = oneOf(land.server.list(NODES), chance)?.metadata.name;
  if (name === undefined) return '';
  land.server.set(NODES, name, nodeIn(land, name, change(nodeTraits(chance))));
  return name;
}
