/** The objects that operators make: nodes as ovnkube-node annotates them, and EgressIPs. */
import type { ApiObject } from '../controlplane/api.ts';
import type { Seen } from './watched.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Item {
  readonly egressIP: string;
  readonly node: string;
}

export interface EgressIP extends Seen {
  readonly spec: { readonly egressIPs: readonly string[] };
  readonly status?: { readonly items?: readonly Item[] };
}

/** An Event of events.k8s.io/v1. */
export interface Told extends Seen {
  readonly reason: string;
  readonly note: string;
  readonly type: string;
  readonly regarding: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly name: string;
    readonly uid: string;
  };
}

export const egressIPs = '/apis/k8s.ovn.org/v1/egressips';
export const nodes = '/api/v1/nodes';
export const events = '/apis/events.k8s.io/v1/namespaces/default/events';
export const assignable = 'k8s.ovn.org/egress-assignable';
export const markKey = 'k8s.ovn.org/egressip-mark';
const ovn = 'k8s.ovn.org/';

export interface NodeWish {
  readonly labels?: Labels;
  readonly ready?: boolean;
  /** On top of the usual ones. */
  readonly annotations?: Labels;
  /** CIDRs of further host networks. */
  readonly networks?: readonly string[];
  /** The node's own CIDR in IPv6. */
  readonly ipv6?: string;
}

/**
 * Node number n (1 to 250) has 10.0.0.n/16, and its health port is at 127.64.n.2: on loopback, so
 * that this address exists on any machine.
 */
export function nodeObject(name: string, number: number, wish: NodeWish = {}): ApiObject {
  const primary = { ipv4: `10.0.0.${number}/16`, ipv6: wish.ipv6 ?? '' };
  const own = Object.values(primary).filter((cidr) => cidr !== '');
  const annotations = {
    [`${ovn}node-primary-ifaddr`]: JSON.stringify(primary),
    [`${ovn}host-cidrs`]: JSON.stringify([...own, ...(wish.networks ?? [])]),
    [`${ovn}node-subnets`]: JSON.stringify({ default: [`127.64.${number}.0/24`] }),
    ...wish.annotations,
  };
  const metadata = { name, labels: wish.labels ?? {}, annotations };
  return { apiVersion: 'v1', kind: 'Node', metadata, status: readiness(wish.ready ?? true) };
}

/** What the kubelet writes, or the node controller when the kubelet is silent. */
export function readiness(ready: boolean): { conditions: object[] } {
  const now = new Date().toISOString();
  const condition = {
    type: 'Ready',
    status: ready ? 'True' : 'Unknown',
    reason: ready ? 'KubeletReady' : 'NodeStatusUnknown',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  return { conditions: [condition] };
}

/** `selector` undefined = left out, so that the CRD's default holds; Labels = matchLabels. */
export function egressIPObject(
  name: string,
  addresses: readonly string[],
  selector?: Labels | { matchExpressions: readonly object[] },
): ApiObject {
  const written = selector && ('matchExpressions' in selector ? selector : labelled(selector));
  const spec = {
    egressIPs: addresses,
    namespaceSelector: {},
    ...(written && { egressNodeSelector: written }),
  };
  return { apiVersion: 'k8s.ovn.org/v1', kind: 'EgressIP', metadata: { name }, spec };
}

const labelled = (matchLabels: object): object =>
  Object.keys(matchLabels).length === 0 ? {} : { matchLabels };

/** `10.0.1.1 on a, 10.0.1.2 on b`, in order of address. */
export function homesOf(object: EgressIP | undefined): string {
  const items = (object?.status?.items ?? []).map(({ egressIP, node }) => `${egressIP} on ${node}`);
  return items.sort().join(', ');
}
