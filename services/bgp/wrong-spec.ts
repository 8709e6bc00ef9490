/**
 * What a spec says that nobody can do. The schemas refuse all of it; those of the original operator
 * refuse hardly any (`spec/bgp-operator.md` 2), and a cluster that is taken over has them.
 */
import { parseAddress } from '../../core/address.ts';
import type { BgpConfig, BgpRouting, Neighbor, Zone } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Labels } from '../../core/labels.ts';
import { compile } from '../../core/selector.ts';
import { bad, type Judged } from './condition.ts';
import { peerOf } from './group.ts';
import { rangesOf } from './overlap.ts';

const CUDN = 'CUDNCreated';

/** Nothing is made of such a routing; undefined = it is in order. */
export function wrongRouting(routing: BgpRouting): Judged | undefined {
  const { network, subnets } = routing;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(network))
    return bad(CUDN, 'InvalidName', `network name "${network}" is no DNS label`);
  const ranges = rangesOf(routing);
  const wrong = ranges.indexOf(undefined);
  if (wrong >= 0) return bad(CUDN, 'InvalidSubnet', `"${subnets[wrong]}" is no subnet`);
  if (subnets.length === 0) return bad(CUDN, 'InvalidSubnet', 'it names no subnet');
  if (new Set(ranges.map((range) => range?.family)).size === subnets.length) return undefined;
  return bad(CUDN, 'InvalidSubnet', `${subnets.join(', ')} are of one family: one subnet of each`);
}

/** Half a sentence that names the field; undefined = the spec is in order. */
export function wrongConfig(config: BgpConfig): string | undefined {
  const { localASN, livenessDetection, connectTime, zones, aws, routerNodeSelector } = config;
  if (!isASN(localASN)) return `spec.bgp.localASN: ${notASN(localASN)}`;
  if (livenessDetection !== 'bfd' && livenessDetection !== 'bgp-keepalive')
    return `spec.bgp.livenessDetection: "${livenessDetection}" is neither bfd nor bgp-keepalive`;
  if (!/^(\d+h)?(\d+m)?(\d+s)?$/.test(connectTime))
    return `spec.bgp.connectTime: "${connectTime}" is no time of whole seconds, such as 10s`;
  const label = wrongLabel(routerNodeSelector);
  if (label !== undefined) return `spec.routerNodeSelector: ${label}`;
  if (aws !== undefined && zones.length > 0)
    return 'spec.aws and spec.bgp.availabilityZones exclude each other';
  if (aws === undefined && zones.length === 0)
    return 'spec.bgp.availabilityZones: needed where there is no spec.aws';
  const before = new Map<string, number>();
  return firstOf(zones, (zone, at) => wrongZone(zone, `spec.bgp.availabilityZones[${at}]`, before));
}

/** The original's schema takes 0, too. */
const isASN = (asn: number): boolean => asn >= 1 && asn <= 4_294_967_295;

const notASN = (asn: number): string => `${asn} is no ASN, which are from 1 to 4294967295`;

function firstOf<T>(
  items: readonly T[],
  find: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `before` = the ASNs of neighbours that were named before: two of one selector are one zone. */
function wrongZone(
  { nodeSelector, neighbors }: Zone,
  where: string,
  before: Map<string, number>,
): string | undefined {
  const label = wrongLabel(nodeSelector);
  if (label !== undefined) return `${where}.nodeSelector: ${label}`;
  if (neighbors.length === 0) return `${where}.neighbors: at least one is needed`;
  const zone = canonicalJson(nodeSelector);
  return firstOf(neighbors, (neighbor, at) => {
    const wrong = wrongNeighbor(neighbor, zone, before);
    return wrong === undefined ? undefined : `${where}.neighbors[${at}].${wrong}`;
  });
}

function wrongNeighbor(
  { address, remoteASN }: Neighbor,
  zone: string,
  before: Map<string, number>,
): string | undefined {
  if (parseAddress(address) === undefined) return `address: "${address}" is no IP address`;
  if (!isASN(remoteASN)) return `remoteASN: ${notASN(remoteASN)}`;
  const place = `${zone} ${peerOf(address)}`;
  const other = before.get(place) ?? remoteASN;
  before.set(place, remoteASN);
  if (other === remoteASN) return undefined;
  return `remoteASN: ${address} has ${remoteASN} here and ${other} before`;
}

/** No server takes a selector with such a label. */
const wrongLabel = (matchLabels: Labels): string | undefined =>
  compile({ matchLabels, matchExpressions: [] }).problem;
