/** The Kubernetes objects of the simulated worlds that route by BGP. */
import type { JsonObject } from '../../../core/json.ts';
import type { Draw } from '../draw.ts';
import { nodeNames } from '../objects.ts';

export const OWN_LABEL = 'app.kubernetes.io/managed-by';
export const OWN_VALUE = 'cudn-bgp-routing-operator';
export const REGION = 'us-east-1';
export const zoneLetters = ['a', 'b', 'c'] as const;
export const routingNames = ['r1', 'r2', 'r3'] as const;
export const networkNames = ['blue', 'green'] as const;
/** The second overlaps the first. */
export const subnetChoices = ['10.150.0.0/16', '10.150.128.0/20', '10.160.0.0/16'] as const;

export const zoneOf = (node: string): string =>
  `${REGION}${zoneLetters[nodeNames.indexOf(node) % zoneLetters.length] ?? 'a'}`;

/** A router, unless its heart beats otherwise: whoever draws a node need not draw for this too. */
export const isRouter = (beat: number): boolean => beat % 6 !== 0;

export const routerLabels = (node: string, beat: number): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': node,
  'topology.kubernetes.io/zone': zoneOf(node),
  ...(isRouter(beat) ? { bgp_router: 'true' } : {}),
});

/** The neighbours of a zone where no cloud tells them. */
export const neighborsOf = (letter: string): readonly string[] => {
  const zone = zoneLetters.indexOf(letter as 'a') + 1;
  return [`10.9.${zone}.1`, `10.9.${zone}.2`];
};

export interface ConfigTraits {
  readonly localASN: number;
  readonly bfd: boolean;
  readonly zones: readonly string[];
}

export const configTraits = (chance: Draw): ConfigTraits => ({
  localASN: chance.one([65_001, 65_001, 65_010]),
  bfd: chance.chance(0.3),
  zones: chance.some(zoneLetters, 1),
});

/** `routeServers`: as AWS offers them; undefined = the neighbours are named. */
export function configSpec(
  { localASN, bfd, zones }: ConfigTraits,
  routeServers: readonly string[] | undefined,
): JsonObject {
  const livenessDetection = bfd ? 'bfd' : 'bgp-keepalive';
  const routerNodeSelector = { bgp_router: 'true' };
  if (routeServers !== undefined)
    return {
      bgp: { localASN, livenessDetection },
      routerNodeSelector,
      aws: { region: REGION, routeServerIDs: routeServers, adoptionPolicy: 'IfMatches' },
    };
  const availabilityZones = zones.map((letter) => ({
    nodeSelector: { 'topology.kubernetes.io/zone': `${REGION}${letter}` },
    neighbors: neighborsOf(letter).map((address) => ({ address, remoteASN: 64_512 })),
  }));
  return { bgp: { localASN, livenessDetection, availabilityZones }, routerNodeSelector };
}

export const routingSpec = (network: string, subnet: string): JsonObject => ({
  network: { name: network, subnets: [subnet] },
});

export const namespaceObject = (name: string, network: string): JsonObject => ({
  metadata: {
    name,
    labels: { 'cluster-udn': network, 'k8s.ovn.org/primary-user-defined-network': '' },
  },
  status: { phase: 'Active' },
});

export const podName = (node: string): string => `frr-k8s-${node}`;

export const frrPod = (node: string, ready: boolean): JsonObject => ({
  metadata: { name: podName(node), labels: { app: 'frr-k8s', component: 'frr-k8s' } },
  spec: { nodeName: node },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});
