/** The Kubernetes objects of the simulated worlds. */
import type { JsonObject } from '../../core/json.ts';
import type { Draw } from './draw.ts';

export const ASSIGNABLE = 'k8s.ovn.org/egress-assignable';
export const MARK = 'k8s.ovn.org/egressip-mark';
export const OWNER = 'k8s.ovn.org/egressip-owner-ref';
export const zones = ['red', 'blue'];
export const nodeNames = ['n1', 'n2', 'n3', 'n4', 'n5'];
export const egressIPNames = ['e1', 'e2', 'e3', 'e4', 'e5'];

/** On the network of every node; the last two are secondary, of some nodes only. */
export const addresses = [
  ...[101, 102, 103, 104, 105, 106, 107, 108].map((host) => `10.0.0.${host}`),
  '10.1.0.101',
  '10.1.0.102',
];

/** What of a node can change; the rest follows from its name. */
export interface NodeTraits {
  readonly zone: string;
  readonly assignable: boolean;
  readonly secondary: boolean;
  readonly capacity: number;
  readonly drained: boolean;
  readonly broken: boolean;
  readonly ready: 'True' | 'False' | 'Unknown';
  readonly beat: number;
}

export function nodeTraits(chance: Draw): NodeTraits {
  return {
    zone: chance.one(zones),
    assignable: chance.chance(0.8),
    secondary: chance.chance(0.4),
    capacity: chance.one([1, 2, 3, 10]),
    drained: chance.chance(0.05),
    broken: chance.chance(0.05),
    ready: chance.chance(0.85) ? 'True' : chance.one(['False', 'Unknown']),
    beat: chance.between(1, 1_000_000),
  };
}

/** What a node has besides where it routes by BGP. */
export interface RouterParts {
  readonly labels: JsonObject;
  readonly spec: JsonObject;
  readonly addresses: readonly object[];
}

export function nodeObject(
  name: string,
  traits: NodeTraits,
  cloud: boolean,
  router?: RouterParts,
): JsonObject {
  const host = 1 + nodeNames.indexOf(name);
  const primary = `10.0.0.${host}/24`;
  const hosts = [primary, ...(traits.secondary ? [`10.1.0.${host}/24`] : [])];
  const network = { ifaddr: { ipv4: '10.0.0.0/24' }, capacity: { ip: traits.capacity } };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        zone: traits.zone,
        ...(traits.assignable ? { [ASSIGNABLE]: '' } : {}),
        ...router?.labels,
      },
      annotations: {
        'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: primary, ipv6: '' }),
        'k8s.ovn.org/node-subnets': JSON.stringify({ default: `10.128.${host}.0/24` }),
        ...(traits.broken ? {} : { 'k8s.ovn.org/host-cidrs': JSON.stringify(hosts) }),
        ...(cloud
          ? { 'cloud.network.openshift.io/egress-ipconfig': JSON.stringify([network]) }
          : {}),
        ...(traits.drained ? { 'sluice.dev/drain': 'true' } : {}),
        'example.com/heartbeat': String(traits.beat),
      },
    },
    ...(router && { spec: router.spec }),
    status: {
      conditions: [{ type: 'Ready', status: traits.ready }],
      ...(router && { addresses: router.addresses }),
    },
  };
}

export type Selecting = 'default' | 'all' | 'red' | 'blue' | 'none' | 'broken';

export const selectings: readonly Selecting[] = [
  'default',
  'default',
  'all',
  'red',
  'blue',
  'none',
  'broken',
];

export function selectorOf(selecting: Selecting): JsonObject | undefined {
  switch (selecting) {
    case 'default':
      return undefined;
    case 'all':
      return {};
    case 'none':
      return { matchLabels: { zone: 'green' } };
    case 'broken':
      return { matchExpressions: [{ key: 'zone', operator: 'In', values: [] }] };
    default:
      return { matchLabels: { zone: selecting } };
  }
}

export function egressIPSpec(wanted: readonly string[], selecting: Selecting): JsonObject {
  const egressNodeSelector = selectorOf(selecting);
  return {
    egressIPs: wanted,
    namespaceSelector: { matchLabels: { team: 'a' } },
    ...(egressNodeSelector === undefined ? {} : { egressNodeSelector }),
  };
}

/** Now and then a text that is no address, or one twice. */
export function wantedAddresses(chance: Draw): readonly string[] {
  const count = chance.one([1, 1, 2, 2, 3]);
  const wanted = Array.from({ length: count }, () => chance.one(addresses));
  return chance.chance(0.05) ? [...wanted, 'garbage'] : wanted;
}
