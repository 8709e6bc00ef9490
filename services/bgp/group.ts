/** Nodes that share their neighbours: the zones of the spec, or what AWS offers. */
import { parseAddress } from '../../core/address.ts';
import { ZONE } from '../../core/annotation.ts';
import type { NeighborGroup } from '../../core/aws-fact.ts';
import type { BgpConfig, Neighbor } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Labels } from '../../core/labels.ts';
import type { World } from './world.ts';

export const HOSTNAME = 'kubernetes.io/hostname';

/** One FRRConfiguration is made of each. */
export interface Group {
  /** For people and for `waits`: `us-east-1a`, or the selector where no zone is named. */
  readonly title: string;
  /** What its name is made of: a zone that no other group has, or ''. */
  readonly zone: string;
  /** What stands for it where the zone does not: its own part of the selector, as text. */
  readonly identity: string;
  readonly matchLabels: Labels;
  /** Host names; empty = whoever the labels match. */
  readonly hosts: readonly string[];
  readonly neighbors: readonly Neighbor[];
  readonly localASN: number;
  readonly livenessDetection: string;
}

/** Undefined while AWS' neighbours are not known: then nothing is changed. */
export function groupsOf(world: World, config: BgpConfig): readonly Group[] | undefined {
  if (config.aws === undefined) return explicitGroups(config);
  if (world.neighbors?.uid !== config.uid) return undefined;
  return world.neighbors.groups.map((group) => cloudGroup(config, group));
}

/** `routerNodeSelector` overlaid by the zone's selector: the zone wins on equal keys. */
function explicitGroups(config: BgpConfig): readonly Group[] {
  const { zones, routerNodeSelector, localASN, livenessDetection } = config;
  const merged = new Map<string, { nodeSelector: Labels; neighbors: Neighbor[] }>();
  for (const { nodeSelector, neighbors } of zones) {
    const identity = canonicalJson(nodeSelector);
    const known = merged.get(identity);
    if (known === undefined) merged.set(identity, { nodeSelector, neighbors: [...neighbors] });
    else known.neighbors.push(...neighbors);
  }
  const named = [...merged.values()].map(({ nodeSelector }) => nodeSelector[ZONE] ?? '');
  return [...merged].map(([identity, { nodeSelector, neighbors }]) => {
    const zone = nodeSelector[ZONE] ?? '';
    const unique = zone !== '' && named.filter((other) => other === zone).length === 1;
    return {
      title: titleOf(nodeSelector),
      zone,
      identity: unique ? '' : identity,
      matchLabels: { ...routerNodeSelector, ...nodeSelector },
      hosts: [],
      neighbors: withoutDoubles(neighbors),
      localASN,
      livenessDetection,
    };
  });
}

/** `us-east-1a`, `us-east-1a subnet=1`, `rack=7`: whatever the other zones are. */
function titleOf({ [ZONE]: zone, ...labels }: Labels): string {
  const others = Object.keys(labels).toSorted();
  const words = others.map((key) => `${key}=${labels[key]}`);
  return [...(zone ? [zone] : []), ...words].join(' ') || 'all router nodes';
}

function cloudGroup({ routerNodeSelector }: BgpConfig, group: NeighborGroup): Group {
  const { key, zone, nodes, neighbors, localASN, livenessDetection } = group;
  return {
    title: key,
    zone: key,
    identity: '',
    matchLabels: nodes.length > 0 ? routerNodeSelector : { ...routerNodeSelector, [ZONE]: zone },
    hosts: nodes.toSorted(),
    neighbors: withoutDoubles(neighbors),
    localASN,
    livenessDetection,
  };
}

/** Of a neighbour that stands twice the first counts. */
function withoutDoubles(neighbors: readonly Neighbor[]): readonly Neighbor[] {
  const known = new Set<string>();
  return neighbors.filter(({ address }) => {
    const text = peerOf(address);
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

/** The address in canonical text, as sessions are told. */
export const peerOf = (address: string): string => parseAddress(address)?.text ?? address;

/** The names of the nodes, in order. */
export function nodesOf(world: World, { matchLabels, hosts }: Group): readonly string[] {
  const wanted = Object.entries(matchLabels);
  const names: string[] = [];
  for (const [name, labels] of world.nodes) {
    const matches =
      wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
      (hosts.length === 0 || hosts.includes(labels[HOSTNAME] ?? name));
    if (matches) names.push(name);
  }
  return names.sort();
}
