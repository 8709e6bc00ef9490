/**
 * What frr-k8s makes of all FRRConfigurations of one node, and what it says when it cannot: the
 * rules and the words of v0.0.21 (`spec/frr-ovn-aws-facts.md` 2.2, 2.3).
 */
import { parseCidr } from '../../core/address.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { asnOf, familyOf, familyOfPrefix, nameOf } from './family.ts';
import { type MergedNeighbor, type MergedRouter, mergeNeighbors, mergeRouters } from './merge.ts';
import type { BfdProfile, FrrConfiguration, Neighbor, Router } from './objects.ts';
import { checkOutgoing, localPrefsOf } from './outgoing.ts';
import { Unacceptable } from './unacceptable.ts';

/** The routers of the node, one for each VRF, in order of VRF. Throws Unacceptable. */
export function convert(configs: readonly FrrConfiguration[]): readonly MergedRouter[] {
  const routers = new Map<string, MergedRouter>();
  const everywhere = new Map<string, string>();
  for (const config of configs) {
    const profiles = profilesOf(config, everywhere);
    const all = config.spec?.bgp?.routers ?? [];
    const prefixes = new Map(all.map((router) => [router.vrf ?? '', router.prefixes ?? []]));
    for (const router of all) {
      const converted = routerOf(router, prefixes, profiles);
      const before = routers.get(converted.vrf);
      routers.set(converted.vrf, before ? mergeRouters(before, converted) : converted);
    }
  }
  return [...routers.values()].sort((a, b) => (a.vrf < b.vrf ? -1 : 1));
}

/** A neighbor may use the profiles of its own object only; equal names must say the same. */
function profilesOf(config: FrrConfiguration, everywhere: Map<string, string>): Set<string> {
  const { name: owner } = config.metadata;
  const own = new Set<string>();
  for (const profile of config.spec?.bgp?.bfdProfiles ?? []) {
    const { name } = profile;
    if (own.has(name))
      throw new Unacceptable(`duplicate bfd profile name ${name} in config ${owner}`);
    own.add(name);
    const known = everywhere.get(name) ?? valuesOf(profile);
    if (known !== valuesOf(profile))
      throw new Unacceptable(
        `duplicate bfd profile name ${name} with different values for config ${owner}`,
      );
    everywhere.set(name, known);
  }
  return own;
}

const valuesOf = (profile: BfdProfile): string =>
  JSON.stringify([
    profile.receiveInterval,
    profile.transmitInterval,
    profile.detectMultiplier,
    profile.echoInterval,
    profile.minimumTtl,
    profile.echoMode ?? false,
    profile.passiveMode ?? false,
  ]);

function routerOf(
  router: Router,
  prefixesOf: ReadonlyMap<string, readonly string[]>,
  profiles: ReadonlySet<string>,
): MergedRouter {
  const { asn, vrf = '', prefixes = [], imports = [], neighbors = [] } = router;
  const unknown = prefixes.find((prefix) => familyOfPrefix(prefix) === 'unknown');
  if (unknown !== undefined) throw new Unacceptable(`unknown ipfamily for ${unknown}`);
  const available = [...prefixes];
  for (const { vrf: from = '' } of imports) {
    if (from !== 'default' && !prefixesOf.has(from))
      throw new Unacceptable(`router ${asn}-${vrf} imports vrf ${from} which is not defined`);
    const declared = from === 'default' ? '' : from;
    const imported = prefixesOf.get(declared);
    if (imported === undefined)
      throw new Unacceptable(`vrf ${declared} not found in prefixes in router`);
    available.push(...imported);
  }
  for (const neighbor of neighbors) checkOutgoing(neighbor, vrf, available);
  const converted = neighbors.map((neighbor) => {
    try {
      return neighborOf(neighbor, vrf, available, profiles);
    } catch (error) {
      if (!(error instanceof Unacceptable)) throw error;
      const where = `failed to process neighbor ${nameOf(neighbor)} for router ${asn}-${vrf}`;
      throw new Unacceptable(`${where}: ${error.message}`);
    }
  });
  return { vrf, asn, id: router.id ?? '', neighbors: mergeNeighbors(converted) };
}

function neighborOf(
  n: Neighbor,
  vrf: string,
  available: readonly string[],
  profiles: ReadonlySet<string>,
): MergedNeighbor {
  const problem = identityProblem(n, profiles);
  if (problem !== undefined) throw new Unacceptable(problem);
  const [hold, keepalive] = timersOf(n);
  const localPrefs = localPrefsOf(n, available);
  checkIncoming(n);
  const peer = n.interface || n.address || '';
  return {
    id: vrf === '' ? peer : `${peer}-${vrf}`,
    peer,
    asn: asnOf(n),
    port: n.port ?? 179,
    source: n.sourceaddress ?? '',
    password: n.password ?? '',
    bfdProfile: n.bfdProfile ?? '',
    multihop: n.ebgpMultiHop ?? false,
    family: familyOf(n),
    hold,
    keepalive,
    // 60 s is what frr-k8s takes for FRR's own connect time.
    connect: Math.floor((parseDuration(n.connectTime ?? '60s') ?? 0) / 1_000),
    localPrefs,
  };
}

function identityProblem(n: Neighbor, profiles: ReadonlySet<string>): string | undefined {
  const name = nameOf(n);
  if (!n.address && !n.interface)
    return `neighbor with ASN ${asnOf(n)} has no address and no interface`;
  if (n.address && n.interface) return `neighbor ${name} has both Address and Interface specified`;
  if (n.bfdProfile && !profiles.has(n.bfdProfile))
    return `neighbor ${name} referencing non existing BFDProfile ${n.bfdProfile}`;
  if (!n.asn && !n.dynamicASN) return `neighbor ${name} has no ASN or DynamicASN specified`;
  if (n.asn && n.dynamicASN) return `neighbor ${name} has both ASN and DynamicASN specified`;
  return undefined;
}

/** Hold time and keepalive time, in seconds. Throws Unacceptable. */
function timersOf(n: Neighbor): readonly [hold: number, keepalive: number] {
  const { holdTime, keepaliveTime } = n;
  const fail = (why: string): never => {
    throw new Unacceptable(`invalid timers for neighbor ${nameOf(n)}, err: ${why}`);
  };
  if (holdTime === undefined && keepaliveTime === undefined) return [180, 60];
  const holdMs = parseDuration(holdTime ?? '');
  const keepaliveMs = parseDuration(keepaliveTime ?? '');
  if (holdMs === undefined || keepaliveMs === undefined)
    return fail('one of KeepaliveTime/HoldTime specified, both must be set or none');
  const holdSeconds = Math.floor(holdMs / 1_000);
  const shown = shownAs(holdMs);
  if (holdSeconds !== 0 && holdSeconds < 3)
    return fail(`invalid hold time ${shown}: must be 0 or >=3s`);
  if (keepaliveMs > holdMs)
    return fail(
      `invalid keepaliveTime ${shownAs(keepaliveMs)}, must be lower than holdTime ${shown}`,
    );
  return [holdSeconds, Math.floor(keepaliveMs / 1_000)];
}

/** The webhook shows a time as the structure that Go keeps it in. */
const shownAs = (ms: number): string => `"&Duration{Duration:${formatDuration(ms)},}"`;

/** Of a filter for what is received: mask <= ge <= le. Throws Unacceptable. */
function checkIncoming({ toReceive }: Neighbor): void {
  const { mode, prefixes = [] } = toReceive?.allowed ?? {};
  if (mode === 'all') return;
  for (const { prefix = '', le = 0, ge = 0 } of prefixes) {
    const mask = parseCidr(prefix)?.bits;
    if (mask === undefined)
      throw new Unacceptable(`failed to parse prefix ${prefix}: invalid CIDR address: ${prefix}`);
    const problem = lengthProblem(mask, le, ge);
    if (problem !== undefined) throw new Unacceptable(`invalid selector lengths: ${problem}`);
  }
}

function lengthProblem(mask: number, le: number, ge: number): string | undefined {
  if (le > 0 && ge > le) return `ge ${ge} is bigger than le ${le}`;
  if (le > 0 && mask > le) return `cidr mask ${mask} is bigger than le ${le}`;
  if (ge > 0 && mask > ge) return `cidr mask ${mask} is bigger than ge ${ge}`;
  return undefined;
}
