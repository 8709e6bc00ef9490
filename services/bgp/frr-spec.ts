/** The spec of an FRRConfiguration, and which of its changes frr-k8s takes beside copies. */
import { canonicalJson } from '../../core/canonical.ts';
import { type JsonObject, isObject, listOf, parseJson, property } from '../../core/json.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { HOSTNAME, type Group } from './group.ts';

/** A name of our own: another object's profile `default` may have other values (W-14). */
const BFD_PROFILE = 'cudn-bgp';

/** 300 ms times 3 (`spec/bgp-operator.md` 1). */
const bfdTimes = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 3 };

/** Without it FRR may wait 120 s before it dials a neighbour again that came back. */
const CONNECT_TIME = '10s';

/** What a taken-over object has is kept, because two objects must not differ for a neighbour. */
interface Kept {
  readonly connectTime: string;
  readonly bfdProfile: unknown;
}

const none: Kept = { connectTime: CONNECT_TIME, bfdProfile: undefined };

/**
 * `taken` is the spec of an object that the original operator made; else ''. Canonical JSON.
 */
export function frrSpecOf(config: BgpConfig, group: Group, taken: string): string {
  const kept = taken === '' ? none : keptOf(taken);
  const connectTime = config.connectTime || kept.connectTime;
  const bfd = group.livenessDetection === 'bfd';
  const profile = kept.bfdProfile ?? { name: BFD_PROFILE, ...bfdTimes };
  const neighbors = group.neighbors.map(({ address, remoteASN }) => ({
    address,
    asn: remoteASN,
    // OVN-Kubernetes before 2026-06 refuses anything else (`spec/bgp-operator.md` 4.2).
    disableMP: true,
    ...(connectTime !== '' && { connectTime }),
    ...(bfd && { bfdProfile: property(profile, 'name') }),
    toReceive: { allowed: { mode: 'all' } },
  }));
  return canonicalJson({
    nodeSelector: nodeSelectorOf(group),
    bgp: {
      routers: [{ asn: group.localASN, neighbors }],
      ...(bfd && { bfdProfiles: [profile] }),
    },
  });
}

function keptOf(taken: string): Kept {
  const [profile] = listOf(property(property(parseJson(taken), 'bgp'), 'bfdProfiles'));
  const times = neighborsOf(taken).map(([, one]) => property(one, 'connectTime'));
  const connectTime = times.find((time) => typeof time === 'string');
  return { connectTime: typeof connectTime === 'string' ? connectTime : '', bfdProfile: profile };
}

export function nodeSelectorOf({ matchLabels, hosts }: Group): object {
  const expression = { key: HOSTNAME, operator: 'In', values: hosts };
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(hosts.length > 0 && { matchExpressions: [expression] }),
  };
}

const routersOf = (spec: string): readonly unknown[] =>
  listOf(property(property(parseJson(spec), 'bgp'), 'routers'));

/** Address → neighbour. */
function neighborsOf(spec: string): readonly (readonly [string, JsonObject])[] {
  return routersOf(spec)
    .flatMap((router) => listOf(property(router, 'neighbors')))
    .filter(isObject)
    .map((one) => [String(one['address']), one]);
}

/** Whatever must be equal, or is better equal, in all objects for one neighbour (facts 2.3). */
const sessionFields: readonly (readonly [name: string, unset: unknown])[] = [
  ['asn', undefined],
  ['dynamicASN', undefined],
  ['port', 179],
  ['sourceaddress', ''],
  ['password', ''],
  ['passwordSecret', undefined],
  ['holdTime', ''],
  ['keepaliveTime', ''],
  ['connectTime', ''],
  ['ebgpMultiHop', false],
  ['bfdProfile', ''],
  ['dualStackAddressFamily', false],
  ['localASN', undefined],
];

const sessionOf = (neighbor: JsonObject): string =>
  canonicalJson(sessionFields.map(([name, unset]) => neighbor[name] ?? unset ?? null));

/**
 * Whether frr-k8s would refuse both on one node: another router ASN, another setting of a session,
 * another BFD profile of the same name (`frr-ovn-aws-facts.md` 2.3, 2.4).
 */
export function areAtOdds(a: string, b: string): boolean {
  const asns = [...routersOf(a), ...routersOf(b)].map((router) => property(router, 'asn'));
  if (new Set(asns).size > 1) return true;
  return differ(neighborsOf(a), neighborsOf(b), sessionOf) || differ(profilesOf(a), profilesOf(b));
}

function profilesOf(spec: string): readonly (readonly [string, JsonObject])[] {
  return listOf(property(property(parseJson(spec), 'bgp'), 'bfdProfiles'))
    .filter(isObject)
    .map((one) => [String(one['name']), one]);
}

type Parts = readonly (readonly [string, JsonObject])[];

function differ(a: Parts, b: Parts, text: (one: JsonObject) => string = profileText): boolean {
  const known = new Map(a);
  return b.some(([name, one]) => {
    const other = known.get(name);
    return other !== undefined && text(other) !== text(one);
  });
}

const profileText = (profile: JsonObject): string => {
  const { echoMode = false, passiveMode = false, echoInterval = 50, ...rest } = profile;
  return canonicalJson({ ...rest, echoMode, passiveMode, echoInterval });
};
