/** The small worlds of the model check: what each node and each EgressIP can be, and no more. */
import type { Fact, Node } from '../../../core/fact.ts';

export interface NodeChoice {
  readonly zone: 'p' | 'q';
  readonly ready: boolean;
  /** It is on a second network, 10.1.0.0/24. */
  readonly secondary: boolean;
  /** How many addresses fit; only on a cloud. */
  readonly capacity: number;
}

export interface Wish {
  readonly wants: readonly string[];
  /** '' = every node. */
  readonly zone: 'p' | 'q' | '';
}

export interface Land {
  readonly name: string;
  readonly cloud: boolean;
  readonly nodes: readonly string[];
  readonly egressIPs: readonly string[];
  /** The first of each is: not there. */
  readonly nodeChoices: readonly (NodeChoice | undefined)[];
  readonly wishes: readonly (Wish | undefined)[];
}

/** Which choice each node and each EgressIP is of. */
export interface State {
  readonly nodes: readonly number[];
  readonly egressIPs: readonly number[];
}

const nodeOf = (zone: 'p' | 'q', ready = true, secondary = false, capacity = 99): NodeChoice => ({
  zone,
  ready,
  secondary,
  capacity,
});

const [a, b, c, s] = ['10.0.0.100', '10.0.0.101', '10.0.0.102', '10.1.0.100'] as const;

/** Contested addresses, siblings, selectors and a second network. */
export const bare: Land = {
  name: 'bare metal',
  cloud: false,
  nodes: ['k', 'l', 'm', 'n'],
  egressIPs: ['x', 'y', 'z'],
  nodeChoices: [
    undefined,
    nodeOf('p'),
    nodeOf('q'),
    nodeOf('p', false),
    nodeOf('p', true, true),
    nodeOf('q', true, true),
  ],
  wishes: [
    undefined,
    { wants: [a], zone: 'p' },
    { wants: [a, b], zone: '' },
    { wants: [b, c, s], zone: '' },
    { wants: [s, c], zone: 'q' },
    { wants: [c, a], zone: 'p' },
  ],
};

/** Little room: nobody wants what another one wants, so that most of all is well defined. */
export const cloud: Land = {
  name: 'a cloud',
  cloud: true,
  nodes: ['k', 'l', 'm', 'n'],
  egressIPs: ['x', 'y', 'z'],
  nodeChoices: [
    undefined,
    nodeOf('p', true, false, 1),
    nodeOf('q', true, false, 1),
    nodeOf('p', true, false, 2),
    nodeOf('q', true, false, 3),
    nodeOf('p', false, false, 2),
  ],
  wishes: [
    undefined,
    { wants: ['1'], zone: '' },
    { wants: ['1', '2'], zone: '' },
    { wants: ['1', '2'], zone: 'p' },
    { wants: ['2', '3'], zone: 'q' },
    { wants: ['1', '2', '3'], zone: '' },
  ],
};

/** Small enough that every state and every step is tried. */
export const small = (land: Land): Land => ({
  ...land,
  name: `${land.name}, small`,
  nodes: land.nodes.slice(0, 2),
  egressIPs: land.egressIPs.slice(0, 2),
});

/** Smaller still: a few of the choices only. */
export const tiny = (land: Land): Land => ({
  ...small(land),
  name: `${land.name}, tiny`,
  nodeChoices: land.nodeChoices.slice(0, 4),
  wishes: land.wishes.slice(0, 4),
});

/** On a cloud the addresses of each EgressIP are its own. */
export const wantsOf = (land: Land, egressIP: number, wish: Wish): readonly string[] =>
  land.cloud
    ? wish.wants.map((text) => `10.0.0.${100 + egressIP * 10 + Number(text)}`)
    : wish.wants;

export function nodeFact(land: Land, index: number, choice: NodeChoice | undefined): Fact {
  const name = land.nodes[index] ?? '';
  if (choice === undefined) return { kind: 'NodeGone', name, uid: `uid-${name}` };
  return { kind: 'NodeSeen', node: nodeOn(name, index + 1, choice) };
}

function nodeOn(name: string, host: number, choice: NodeChoice): Node {
  const { zone, ready, secondary, capacity } = choice;
  const hosts = [`10.0.0.${host}/24`, ...(secondary ? [`10.1.0.${host}/24`] : [])];
  const interfaces = [{ ifaddr: { ipv4: '10.0.0.0/24' }, capacity: { ip: capacity } }];
  return {
    name,
    uid: `uid-${name}`,
    labels: { zone },
    ready,
    providerID: '',
    internalIPs: [],
    annotations: {
      'k8s.ovn.org/node-primary-ifaddr': JSON.stringify({ ipv4: hosts[0] }),
      'k8s.ovn.org/node-subnets': JSON.stringify({ default: `10.128.${host}.0/24` }),
      'k8s.ovn.org/host-cidrs': JSON.stringify(hosts),
      'cloud.network.openshift.io/egress-ipconfig': JSON.stringify(interfaces),
    },
  };
}

export function egressIPFact(land: Land, index: number, wish: Wish | undefined): Fact {
  const name = land.egressIPs[index] ?? '';
  const uid = `uid-${name}`;
  if (wish === undefined) return { kind: 'EgressIPGone', name, uid };
  const matchLabels: Record<string, string> = wish.zone === '' ? {} : { zone: wish.zone };
  const nodeSelector = { matchLabels, matchExpressions: [] };
  const addresses = wantsOf(land, index, wish);
  const base = { name, uid, createdMs: index, items: [], annotations: {} };
  return { kind: 'EgressIPSeen', egressIP: { ...base, addresses, nodeSelector } };
}
