/** Nodes and EgressIPs in the short form of a rehearsal, made into Kubernetes objects. */
import { parseCidr } from '../../core/address.ts';
import {
  EGRESS_IPCONFIG,
  HOST_CIDRS,
  NODE_SUBNETS,
  PRIMARY_IFADDR,
} from '../../core/annotation.ts';
import type { JsonObject } from '../../core/json.ts';
import { parseSelector } from '../../core/selector.ts';
import type { Place } from './place.ts';

const nodeKeys = ['address', 'also', 'capacity', 'labels', 'annotations', 'ready', 'reachable'];

/** The Ready condition: `true`, `false`, `Unknown`, or `missing` for none at all. */
export function conditionsOf(place: Place): readonly JsonObject[] {
  const { value } = place;
  if (value === 'missing') return [];
  if (value === true || value === false)
    return [{ type: 'Ready', status: value ? 'True' : 'False' }];
  if (value === 'Unknown') return [{ type: 'Ready', status: 'Unknown' }];
  return place.fail('ready is true, false, Unknown or missing');
}

/**
 * `{address: 10.0.1.11/24, also: [192.168.7.3/24], labels: {tier: production}, ready: true}`;
 * `number` gives the node its own pod network.
 */
export function nodeFrom(name: string, place: Place, number: number): JsonObject {
  place.known(`node ${name}`, nodeKeys);
  const own = place.has('address') ? cidrsOf(place.get('address')) : [];
  const also = place.has('also') ? cidrsOf(place.get('also')) : [];
  const families = own.map((text) => (text.includes(':') ? 6 : 4));
  const subnets = families.map((family) =>
    family === 4
      ? `10.${128 + (number >> 8)}.${number % 256}.0/24`
      : `fd98:0:0:${number.toString(16)}::/64`,
  );
  const primary = own.map((text, index) => [`ipv${families[index] ?? 4}`, text]);
  const annotations = {
    [PRIMARY_IFADDR]: JSON.stringify(Object.fromEntries(primary)),
    [NODE_SUBNETS]: JSON.stringify({ default: subnets }),
    [HOST_CIDRS]: JSON.stringify([...own, ...also]),
  };
  const metadata = {
    name,
    ...(place.has('labels') ? { labels: textsOf(place.get('labels'), 'labels') } : {}),
    annotations: {
      ...(own.length > 0 ? annotations : {}),
      ...(place.has('capacity') ? cloudAnnotation(own, place.get('capacity')) : {}),
      ...(place.has('annotations') ? textsOf(place.get('annotations'), 'annotations') : {}),
    },
  };
  const conditions = place.has('ready') ? { conditions: conditionsOf(place.get('ready')) } : {};
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata,
    ...(place.has('ready') ? { status: conditions } : {}),
  };
}

/** `capacity: 10` in all, `{ipv4: 14, ipv6: 15}` by family, `{}` = without limit. */
function cloudAnnotation(own: readonly string[], place: Place): Record<string, string> {
  const families = own.map((text) => [text.includes(':') ? 'ipv6' : 'ipv4', networkIn(text)]);
  const limits =
    typeof place.value === 'number'
      ? { ip: place.count('capacity') }
      : Object.fromEntries(
          place
            .known('capacity', ['ip', 'ipv4', 'ipv6'])
            .map(([key, limit]) => [key, limit.count(key)]),
        );
  const config = { interface: 'eni-0', ifaddr: Object.fromEntries(families), capacity: limits };
  return { [EGRESS_IPCONFIG]: JSON.stringify([config]) };
}

const networkIn = (text: string): string => parseCidr(text)?.network ?? text;

function cidrsOf(place: Place): readonly string[] {
  return place.items().map((item) => {
    const text = item.text('an address');
    if (parseCidr(text) !== undefined) return text;
    return item.fail(`"${text}" is no address with its prefix, such as 10.0.1.11/24`);
  });
}

/** A mapping of texts; null is kept, for it removes a key. */
export function textsOf(place: Place, what: string): Readonly<Record<string, string | null>> {
  const entries = place.entries(what).map(([key, value]): [string, string | null] => {
    const plain = typeof value.value === 'boolean' ? String(value.value) : undefined;
    return [key, value.value === null ? null : (plain ?? value.text(`${what} ${key}`))];
  });
  return Object.fromEntries(entries);
}

const egressIPKeys = ['addresses', 'on', 'nodeSelector', 'namespaces', 'annotations', 'status'];

/** `{addresses: [10.0.1.10], on: tier=production}`; without `on`, the default selector applies. */
export function egressIPFrom(name: string, place: Place): JsonObject {
  place.known(`egressip ${name}`, egressIPKeys);
  if (!place.has('addresses')) place.failKey(`egressip ${name} needs "addresses"`);
  const tenant = { 'kubernetes.io/metadata.name': name };
  const namespaces = place.has('namespaces')
    ? textsOf(place.get('namespaces'), 'namespaces')
    : tenant;
  const spec = {
    egressIPs: addressesOf(place.get('addresses')),
    namespaceSelector: { matchLabels: namespaces },
    ...selectorFrom(place),
  };
  const status = place.has('status') ? textsOf(place.get('status'), 'status') : undefined;
  const items = Object.entries(status ?? {}).map(([egressIP, node]) => ({ egressIP, node }));
  const annotations = place.has('annotations')
    ? textsOf(place.get('annotations'), 'annotations')
    : {};
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'EgressIP',
    metadata: { name, annotations },
    spec,
    ...(status === undefined ? {} : { status: { items } }),
  };
}

/** An empty list is written `[]`; texts that are no addresses are what some want to try. */
const addressesOf = (place: Place): readonly string[] =>
  place.items().map((item) => item.text('an address'));

function selectorFrom(place: Place): JsonObject {
  if (place.has('nodeSelector'))
    return { egressNodeSelector: Object.fromEntries(rawOf(place.get('nodeSelector'))) };
  if (!place.has('on')) return {};
  const text = place.get('on').text('a selector');
  const selector = parseSelector(text);
  if (selector !== undefined) return { egressNodeSelector: { ...selector } };
  return place.get('on').fail(`"${text}" is no label selector such as tier=production,!gpu`);
}

const rawOf = (place: Place): readonly (readonly [string, unknown])[] =>
  place.entries('nodeSelector').map(([key, inside]) => [key, inside.value]);
