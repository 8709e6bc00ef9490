/**
 * A large cluster as facts: three zones, four node networks, a fifth of the nodes with a second
 * one.
 */
import type { EgressIP, Fact, Node } from '../../core/fact.ts';

export const ZONES = 3;
const NETWORKS = 4;

export const nodeName = (index: number): string => `node-${String(index).padStart(5, '0')}`;

/** Networks are /12: every node has an address of its own in one of them. */
export function nodeAt(index: number, ready = true): Node {
  const network = index % NETWORKS;
  const host = `10.${16 * network}.${index >> 8}.${index & 255}`;
  const second = index % 5 === 0 ? [`172.16.${index >> 8}.${index & 255}/16`] : [];
  return {
    name: nodeName(index),
    uid: `uid-${index}`,
    labels: {
      'k8s.ovn.org/egress-assignable': '',
      'topology.kubernetes.io/zone': `zone-${index % ZONES}`,
      pool: `pool-${index % 20}`,
    },
    ready,
    providerID: '',
    internalIPs: [],
    annotations: {
      'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: `${host}/12`, ipv6: '' }),
      'k8s.ovn.org/node-subnets': JSON.stringify({ default: `10.128.${index >> 8}.0/24` }),
      'k8s.ovn.org/host-cidrs': JSON.stringify([`${host}/12`, ...second]),
    },
  };
}

/** Two addresses each, on one network; every tenth object is tied to a pool of its own label. */
export function egressIPAt(index: number): EgressIP {
  const network = index % NETWORKS;
  const address = (one: number): string => {
    const number = index * 2 + one;
    return `10.${16 * network + 8}.${number >> 8}.${number & 255}`;
  };
  const pool = { matchLabels: { pool: `pool-${index % 20}` }, matchExpressions: [] };
  return {
    name: `egress-${String(index).padStart(5, '0')}`,
    uid: `uid-e${index}`,
    createdMs: index,
    addresses: [address(0), address(1)],
    nodeSelector: index % 10 === 0 ? pool : undefined,
    items: [],
    annotations: {},
  };
}

export const sees = (node: Node): Fact => ({ kind: 'NodeSeen', node });
export const synced: Fact = { kind: 'Synced', kinds: ['nodes', 'egressips'], probing: 'off' };
