/** What users and machines do where pod networks are routed by BGP. */
import type { KubeObject } from '../../../core/door.ts';
import { isObject, type JsonObject, property } from '../../../core/json.ts';
import { NODES } from '../../../edge/simulated/admission.ts';
import { CONFIGS, FRR_PODS, NAMESPACES, ROUTINGS } from '../../../edge/simulated/kinds.ts';
import type { ApiServer } from '../api-server.ts';
import type { Draw } from '../draw.ts';
import { nodeNames, nodeTraits } from '../objects.ts';
import { type Land, nodeIn } from '../deeds.ts';
import type { Field } from './field.ts';
import {
  configSpec,
  configTraits,
  frrPod,
  namespaceObject,
  networkNames,
  podName,
  routingNames,
  routingSpec,
  subnetChoices,
} from './objects.ts';

export const routingDeeds = [
  'config applied',
  'config edited',
  'config deleted',
  'routing applied',
  'routing applied ',
  'routing deleted',
  'routing replaced',
  'namespace comes or goes',
  'daemon replaced',
  'machine replaced',
] as const;

/** What only scenes play; were they drawn like the others, every seed would be another one. */
const sceneDeeds = ['routing taken down', 'every routing deleted'] as const;

export type RoutingDeed = (typeof routingDeeds)[number] | (typeof sceneDeeds)[number];

type Ground = Land & { readonly field: Field | undefined };

const applyRouting = ({ server }: Ground, chance: Draw): string => {
  const name = chance.one(routingNames);
  if (server.get(ROUTINGS, name) !== undefined) return '';
  const [network, subnet] = [chance.one(networkNames), chance.one(subnetChoices)];
  server.set(ROUTINGS, name, { spec: routingSpec(network, subnet) });
  return `${name}: ${network} ${subnet}`;
};

const acts: Readonly<Record<RoutingDeed, (land: Ground, chance: Draw) => string>> = {
  'config applied': (land, chance) => applyConfig(land, chance),
  'config edited': (land, chance) => {
    const known = land.server.get(CONFIGS, 'cluster');
    if (known === undefined || isDying(known)) return '';
    return applyConfig(land, chance);
  },
  'config deleted': ({ server }, chance) => {
    if (server.get(CONFIGS, 'cluster') === undefined || chance.chance(0.5)) return '';
    return remove(server, CONFIGS, 'cluster');
  },
  'routing applied': applyRouting,
  'routing applied ': applyRouting,
  'routing deleted': ({ server }, chance) => remove(server, ROUTINGS, oneOf(server, chance)),
  'routing replaced': (land, chance) => {
    const name = remove(land.server, ROUTINGS, oneOf(land.server, chance));
    return name === '' ? '' : `${name}; ${applyRouting(land, chance)}`;
  },
  'routing taken down': (land) =>
    [...removeAll(land, ROUTINGS), ...removeAll(land, CONFIGS)].join(),
  'every routing deleted': (land) => removeAll(land, ROUTINGS).join(),
  'namespace comes or goes': ({ server }, chance) => {
    const network = chance.one(networkNames);
    const name = `in-${network}`;
    if (server.get(NAMESPACES, name) !== undefined) return remove(server, NAMESPACES, name);
    server.set(NAMESPACES, name, namespaceObject(name, network));
    return name;
  },
  'daemon replaced': ({ server }, chance) => {
    const node = chance.one(nodeNames);
    if (remove(server, FRR_PODS, podName(node)) === '') return '';
    server.set(FRR_PODS, podName(node), frrPod(node, true));
    return node;
  },
  'machine replaced': (land, chance) => {
    const { server, field } = land;
    const name = server.list(NODES).at(-1)?.metadata.name ?? '';
    const machine = field?.machines.get(name);
    if (field === undefined || machine === undefined) return '';
    remove(server, NODES, name);
    const next = field.region.replace(machine.id, { sameAddress: chance.chance(0.3) });
    field.machines.set(name, next);
    server.set(NODES, name, nodeIn(land, name, nodeTraits(chance)));
    return `${name} is ${next.id} at ${next.address} now`;
  },
};

function removeAll({ server }: Ground, collection: string): readonly string[] {
  return server.list(collection).map(({ metadata: { name } }) => remove(server, collection, name));
}

export const isRoutingDeed = (kind: string): kind is RoutingDeed => Object.hasOwn(acts, kind);

/** Returns what was done, in a few words; '' = there was nothing to do. */
export const actRouting = (deed: RoutingDeed, land: Ground, chance: Draw): string =>
  acts[deed](land, chance);

/** The cluster before anybody does anything. */
export function settleRouting(land: Ground, chance: Draw): void {
  const { server, field } = land;
  if (field === undefined) return;
  for (const { metadata } of server.list(NODES))
    server.set(FRR_PODS, podName(metadata.name), frrPod(metadata.name, true));
  if (chance.chance(0.8)) applyConfig(land, chance);
  if (chance.chance(0.7)) applyRouting(land, chance);
}

export const isDying = ({ metadata }: KubeObject): boolean =>
  property(metadata, 'deletionTimestamp') !== undefined;

function oneOf(server: ApiServer, chance: Draw): string {
  const all = server.list(ROUTINGS);
  return all.length === 0 ? '' : chance.one(all).metadata.name;
}

export function applyConfig({ server, field, shape }: Ground, chance: Draw): string {
  if (field === undefined) return '';
  const known = server.get(CONFIGS, 'cluster');
  const traits = configTraits(chance);
  const servers = shape.routing === 'aws' ? [field.made.server.id] : undefined;
  const kept = isObject(known) ? (known as JsonObject) : {};
  server.set(CONFIGS, 'cluster', { ...kept, spec: configSpec(traits, servers) });
  return JSON.stringify(traits);
}

export function remove(server: ApiServer, collection: string, name: string): string {
  if (name === '' || server.get(collection, name) === undefined) return '';
  const path = `${collection}/${name}`;
  server.serve({ method: 'DELETE', path, contentType: '', body: undefined }, 'user');
  return name;
}
