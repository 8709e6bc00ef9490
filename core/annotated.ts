/**
 * What a Node's annotations say, read as the data plane reads them (`spec/egressip.md` 1.3–1.5).
 */
import { type Address, addressAt, type Cidr, contains, parseCidr } from './address.ts';
import { HOST_CIDRS, NODE_SUBNETS, PRIMARY_IFADDR } from './annotation.ts';
import type { Labels } from './fact.ts';
import { isObject, parseJson, property } from './json.ts';

/** A value, or the reason why there is none; `absent` reasons are silent: it may come yet. */
export type Reading<T> =
  | { readonly value: T; readonly problem?: undefined; readonly absent?: undefined }
  | { readonly value?: undefined; readonly problem: string; readonly absent: boolean };

const absent = (key: string): Reading<never> => ({ problem: `${key} is absent`, absent: true });
/** The annotation is there, but of no use. */
export const broken = (key: string, why: string): Reading<never> => ({
  problem: `${key} ${why}`,
  absent: false,
});

/** The parsed JSON text of an annotation. */
export function json(annotations: Labels, key: string): Reading<unknown> {
  const text = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
  if (text === undefined) return absent(key);
  const value = parseJson(text);
  return value === undefined ? broken(key, 'is not JSON') : { value };
}

/** The interface addresses of the node's OVN network, verbatim text beside each. */
export interface PrimaryIfaddr {
  readonly cidrs: readonly Cidr[];
  readonly texts: readonly string[];
}

/** `k8s.ovn.org/node-primary-ifaddr`: `{"ipv4":"192.168.126.202/24","ipv6":""}`. */
export function primaryIfaddr(annotations: Labels): Reading<PrimaryIfaddr> {
  const read = json(annotations, PRIMARY_IFADDR);
  if (read.problem !== undefined) return read;
  const value = read.value;
  if (!isObject(value)) return broken(PRIMARY_IFADDR, 'is not an object');
  const texts: string[] = [];
  const cidrs: Cidr[] = [];
  for (const family of ['ipv4', 'ipv6']) {
    const text = property(value, family) ?? '';
    if (text === '') continue;
    if (typeof text !== 'string') return broken(PRIMARY_IFADDR, `has no CIDR in ${family}`);
    const cidr = parseCidr(text);
    if (cidr === undefined) return broken(PRIMARY_IFADDR, `has no CIDR in ${family}`);
    cidrs.push(cidr);
    texts.push(text);
  }
  if (cidrs.length === 0) return broken(PRIMARY_IFADDR, 'names no address');
  return { value: { cidrs, texts } };
}

/**
 * `k8s.ovn.org/node-subnets`, key `default`: the management address of each subnet (network + 2).
 */
export function managementAddresses(annotations: Labels): Reading<readonly Address[]> {
  const read = json(annotations, NODE_SUBNETS);
  if (read.problem !== undefined) return read;
  const subnets = property(read.value, 'default');
  const texts: readonly unknown[] = Array.isArray(subnets) ? subnets : [subnets];
  if (subnets === undefined || texts.length === 0)
    return broken(NODE_SUBNETS, 'names no default network');
  const cidrs = texts.map((text) => (typeof text === 'string' ? parseCidr(text) : undefined));
  const good = cidrs.filter((cidr) => cidr !== undefined);
  if (good.length < cidrs.length) return broken(NODE_SUBNETS, 'holds text that is no CIDR');
  return { value: good.map((cidr) => addressAt(cidr, 2n)) };
}

/** A CIDR of `host-cidrs` with its text as it stands there. */
export interface HostCidr {
  readonly text: string;
  readonly cidr: Cidr;
}

/** `k8s.ovn.org/host-cidrs`: `["192.168.126.202/24","10.10.10.3/24"]`. */
export function hostCidrs(annotations: Labels): Reading<readonly HostCidr[]> {
  const read = json(annotations, HOST_CIDRS);
  if (read.problem !== undefined) return read;
  if (!Array.isArray(read.value)) return broken(HOST_CIDRS, 'is not a list');
  const found: HostCidr[] = [];
  for (const text of read.value as readonly unknown[]) {
    const cidr = typeof text === 'string' ? parseCidr(text) : undefined;
    if (cidr === undefined) return broken(HOST_CIDRS, 'holds text that is no CIDR');
    found.push({ text: String(text), cidr });
  }
  return { value: found };
}

/**
 * The secondary host network of an address: host CIDRs less the primary ones (compared as text),
 * of the address' family, longest prefix first (`spec/egressip.md` 1.4).
 */
export function secondaryNetwork(
  hosts: readonly HostCidr[],
  primary: PrimaryIfaddr,
  address: Address,
): string | undefined {
  let best: Cidr | undefined;
  for (const { text, cidr } of hosts) {
    if (primary.texts.includes(text) || !contains(cidr, address)) continue;
    if (best === undefined || cidr.bits > best.bits) best = cidr;
  }
  return best?.network;
}
