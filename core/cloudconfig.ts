/** What a Node's egress-ipconfig says: subnets and room for addresses in the cloud. */
import { type Cidr, parseCidr } from './address.ts';
import { broken, json, type Reading } from './annotated.ts';
import { EGRESS_IPCONFIG } from './annotation.ts';
import type { Labels } from './fact.ts';
import { isObject, listOf, property } from './json.ts';

/**
 * How many EgressIPs a node may host in the cloud; Infinity = unlimited, as where the key is
 * absent.
 */
export interface Capacity {
  readonly ip: number;
  readonly ipv4: number;
  readonly ipv6: number;
}

export const unlimited: Capacity = { ip: Infinity, ipv4: Infinity, ipv6: Infinity };

/** From here on a limit is none: what upstream writes for "unlimited" (`spec/egressip.md` 1.5). */
const MAX_INT32 = 2_147_483_647;

export interface CloudConfig {
  readonly cidrs: readonly Cidr[];
  readonly capacity: Capacity;
}

/**
 * `cloud.network.openshift.io/egress-ipconfig`: the first element's subnets and capacity, each key
 * on its own: absent = unlimited, 0 or less = no room (`spec/egressip.md` 1.5, intended semantics).
 */
export function cloudConfig(annotations: Labels): Reading<CloudConfig> {
  const read = json(annotations, EGRESS_IPCONFIG);
  if (read.problem !== undefined) return read;
  const [first] = listOf(read.value);
  if (!isObject(first)) return broken(EGRESS_IPCONFIG, 'names no interface');
  const cidrs: Cidr[] = [];
  for (const family of ['ipv4', 'ipv6']) {
    const text = property(first['ifaddr'], family) ?? '';
    if (text === '') continue;
    const cidr = typeof text === 'string' ? parseCidr(text) : undefined;
    if (cidr === undefined) return broken(EGRESS_IPCONFIG, `has no CIDR in ifaddr.${family}`);
    cidrs.push(cidr);
  }
  const capacity = capacityOf(first['capacity']);
  if (capacity === undefined)
    return broken(EGRESS_IPCONFIG, 'has a capacity that is no whole number');
  return { value: { cidrs, capacity } };
}

function capacityOf(value: unknown): Capacity | undefined {
  const [ip, ipv4, ipv6] = ['ip', 'ipv4', 'ipv6'].map((key) => {
    const limit = property(value, key) ?? MAX_INT32;
    if (typeof limit !== 'number' || !Number.isInteger(limit)) return undefined;
    return limit >= MAX_INT32 ? Infinity : limit;
  });
  if (ip === undefined || ipv4 === undefined || ipv6 === undefined) return undefined;
  return { ip, ipv4, ipv6 };
}
