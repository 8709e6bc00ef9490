/**
 * What is wrong with an object, by the specifications alone (`spec/bgp-operator.md`,
 * `spec/egressip.md`): no function of the rooms is asked.
 */
import { canonicalJson } from '../../../core/canonical.ts';
import type { KubeObject } from '../../../core/door.ts';
import { listOf, property, textOf } from '../../../core/json.ts';
import { specOf } from '../routing/truth.ts';
import { addressOf, isDnsLabel, isLabelKey, isLabelValue, rangeOf } from './reading.ts';

/** The paths of the fields that are wrong in a CUDNBgpConfig; none = it is in order. */
export function wrongFields(config: KubeObject): readonly string[] {
  const { bgp = {}, routerNodeSelector = {}, aws } = specOf(config);
  const zones = listOf(property(bgp, 'availabilityZones'));
  const isTime = /^(\d+h)?(\d+m)?(\d+s)?$/.test(textOf(property(bgp, 'connectTime')));
  const zonesAt = 'spec.bgp.availabilityZones';
  return [
    ...(isASN(property(bgp, 'localASN')) ? [] : ['spec.bgp.localASN']),
    ...(isTime ? [] : ['spec.bgp.connectTime']),
    ...(areLabels(routerNodeSelector) ? [] : ['spec.routerNodeSelector']),
    ...((aws === undefined) === zones.length > 0 ? [] : [zonesAt]),
    ...zones.flatMap((zone, at) => wrongInZone(zone, `${zonesAt}[${at}]`)),
    ...contradictions(zones, zonesAt),
  ];
}

const isASN = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 32;

const areLabels = (selector: unknown): boolean =>
  Object.entries(selector as Record<string, string>).every(
    ([key, value]) => isLabelKey(key) && isLabelValue(value),
  );

function wrongInZone(zone: unknown, at: string): readonly string[] {
  const neighbors = listOf(property(zone, 'neighbors'));
  return [
    ...(areLabels(property(zone, 'nodeSelector')) ? [] : [`${at}.nodeSelector`]),
    ...(neighbors.length > 0 ? [] : [`${at}.neighbors`]),
    ...neighbors.flatMap((one, index) => [
      ...(addressOf(textOf(property(one, 'address'))) === '' ? [`${at}.neighbors[${index}]`] : []),
      ...(isASN(property(one, 'remoteASN')) ? [] : [`${at}.neighbors[${index}]`]),
    ]),
  ];
}

/** One neighbour of the same nodes cannot have two ASNs. */
function contradictions(zones: readonly unknown[], at: string): readonly string[] {
  const asns = new Map<string, unknown>();
  return zones.flatMap((zone, index) => {
    const nodes = canonicalJson(property(zone, 'nodeSelector'));
    return listOf(property(zone, 'neighbors')).flatMap((one, place) => {
      const key = JSON.stringify([nodes, addressOf(textOf(property(one, 'address')))]);
      const asn = property(one, 'remoteASN');
      const isOdd = asns.has(key) && asns.get(key) !== asn;
      asns.set(key, asn);
      return isOdd ? [`${at}[${index}].neighbors[${place}]`] : [];
    });
  });
}

/** The reason that a CUDNBgpRouting is refused for, whatever else there is; '' = none. */
export function wrongRouting(routing: KubeObject): 'InvalidName' | 'InvalidSubnet' | '' {
  const { network = {} } = specOf(routing);
  if (!isDnsLabel(textOf(property(network, 'name')))) return 'InvalidName';
  const ranges = listOf(property(network, 'subnets')).map((text) => rangeOf(String(text)));
  const families = new Set(ranges.map((range) => range?.family));
  if (ranges.includes(undefined) || ranges.length === 0) return 'InvalidSubnet';
  return families.size === ranges.length ? '' : 'InvalidSubnet';
}

export type Fault = 'InvalidAddress' | 'Doubled' | 'HostConflict' | 'NoNetwork' | 'InvalidSelector';

/** Text, as it is to be told → what is wrong with it, whoever else wants it. */
export function faultsOf(egressIP: KubeObject): readonly (readonly [text: string, fault: Fault])[] {
  const { egressIPs = [], egressNodeSelector } = specOf(egressIP);
  const isReadable = isSelector(egressNodeSelector);
  const seen = new Set<string>();
  return (egressIPs as readonly string[]).flatMap((text): [string, Fault][] => {
    const address = addressOf(text);
    if (address === '') return [[text, 'InvalidAddress']];
    if (seen.has(address)) return [[address, 'Doubled']];
    seen.add(address);
    if (!isReadable) return [[address, 'InvalidSelector']];
    // The hosts of these worlds are 10.0.0.1 to 10.0.0.3, and their network is 10.0.0.0/24.
    if (/^10\.0\.0\.[123]$/.test(address)) return [[address, 'HostConflict']];
    return address.startsWith('10.0.0.') ? [] : [[address, 'NoNetwork']];
  });
}

/** As apimachinery reads a selector; without one, that of the default counts. */
export function isSelector(selector: unknown): boolean {
  const labels = property(selector, 'matchLabels') ?? {};
  return (
    areLabels(labels) &&
    listOf(property(selector, 'matchExpressions')).every((one) => {
      const values = listOf(property(one, 'values')).map(String);
      const operator = textOf(property(one, 'operator'));
      const needs = operator === 'In' || operator === 'NotIn';
      if (!needs && operator !== 'Exists' && operator !== 'DoesNotExist') return false;
      const isKey = isLabelKey(textOf(property(one, 'key')));
      return isKey && needs === values.length > 0 && values.every(isLabelValue);
    })
  );
}
