/** Objects for tests of BGP routing, each complete, with the values of the seed's example. */
import { CLUSTER_UDN, PRIMARY_UDN } from '../../core/annotation.ts';
import type { BgpConfig, BgpRouting, UdnNamespace, Zone } from '../../core/bgp-fact.ts';
import type { Node } from '../../core/fact.ts';
import type { Labels } from '../../core/labels.ts';

export const NOW_MS = 1_780_000_000_000;
const ZONE = 'topology.kubernetes.io/zone';

const noStatus = { phase: '', observedGeneration: 0, conditions: [], aws: '' };

export const neighbor = (address: string, remoteASN = 64512) => ({ address, remoteASN });

/** `zone('a', '10.0.1.47')`: the nodes of us-east-1a. */
export const zone = (letter: string, ...addresses: string[]): Zone => ({
  nodeSelector: { [ZONE]: `us-east-1${letter}` },
  neighbors: addresses.map((address) => neighbor(address)),
});

export const zones3: readonly Zone[] = [
  zone('a', '10.0.1.47', '10.0.1.183'),
  zone('b', '10.0.2.91', '10.0.2.204'),
  zone('c', '10.0.3.62', '10.0.3.178'),
];

export function givenConfig(more: Partial<BgpConfig> = {}): BgpConfig {
  return {
    ...{ name: 'cluster', uid: 'uid-config', createdMs: NOW_MS, generation: 1, deleting: false },
    ...{ finalizers: [], annotations: {}, localASN: 65001, livenessDetection: 'bgp-keepalive' },
    ...{ connectTime: '', zones: zones3, routerNodeSelector: { bgp_router: 'true' } },
    status: noStatus,
    ...more,
  };
}

export function givenRouting(name = 'prod', more: Partial<BgpRouting> = {}): BgpRouting {
  return {
    ...{ name, uid: `uid-${name}`, createdMs: NOW_MS, generation: 1, deleting: false },
    ...{ finalizers: [], network: name, subnets: ['10.100.0.0/16'], status: noStatus },
    ...more,
  };
}

export function givenNode(name: string, zoneLetter: string, labels: Labels = {}): Node {
  return {
    ...{ name, uid: `uid-${name}`, ready: true, annotations: {}, providerID: '' },
    labels: { bgp_router: 'true', [ZONE]: `us-east-1${zoneLetter}`, ...labels },
    internalIPs: [],
  };
}

export const givenNamespace = (name: string, network: string): UdnNamespace => ({
  ...{ name, uid: `uid-${name}`, network, primary: true, deleting: false },
});

export const namespaceLabels = { [PRIMARY_UDN]: '', [CLUSTER_UDN]: 'prod' };
