/** What frr-k8s lets a neighbor be told: prefixes of its router, local preferences, communities. */
import { type Family, familyOf, familyOfPrefix, nameOf } from './family.ts';
import type { Neighbor } from './objects.ts';
import { Unacceptable } from './unacceptable.ts';

/** `vrf` and `available` are those of the neighbor's router. Throws Unacceptable. */
export function checkOutgoing(neighbor: Neighbor, vrf: string, available: readonly string[]): void {
  const name = nameOf(neighbor);
  const family = within(`failed to find ipfamily for neighbor ${name}, err`, () =>
    familyOf(neighbor),
  );
  const { allowed = {}, withLocalPref = [], withCommunity = [] } = neighbor.toAdvertise ?? {};
  for (const { prefixes = [], localPref = 0 } of withLocalPref)
    checkFamilies(prefixes, family, `for localpref ${localPref} for neighbor ${name}`);
  checkOnePreference(neighbor);
  for (const { prefixes = [], community = '' } of withCommunity)
    checkFamilies(prefixes, family, `for community ${community} for neighbor ${name}`);
  if (allowed.mode === 'all') return;
  const { prefixes = [] } = allowed;
  checkFamilies(prefixes, family, `for neighbor ${name}`, 'allowed ');
  const foreign = prefixes.find((prefix) => !available.includes(prefix));
  if (foreign === undefined) return;
  throw new Unacceptable(
    `trying to advertise non configured prefix ${foreign} to neighbor ${name}, vrf ${vrf}`,
  );
}

function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unacceptable)) throw error;
    throw new Unacceptable(`${where}: ${error.message}`);
  }
}

function checkFamilies(prefixes: readonly string[], family: Family, of: string, kind = ''): void {
  const bad = prefixes.find((prefix) => {
    const own = familyOfPrefix(prefix);
    return own === 'unknown' || (family !== 'dual' && own !== family);
  });
  if (bad === undefined) return;
  const why =
    familyOfPrefix(bad) === 'unknown'
      ? `unknown ipfamily for ${bad}`
      : `prefix ${bad} is not compatible with the ipfamily ${family}`;
  throw new Unacceptable(`invalid ${kind}prefixes [${prefixes.join(' ')}] ${of}, err: ${why}`);
}

function checkOnePreference({ toAdvertise }: Neighbor): void {
  const known = new Map<string, number>();
  for (const { prefixes = [], localPref = 0 } of toAdvertise?.withLocalPref ?? [])
    for (const prefix of prefixes) {
      const before = known.get(prefix) ?? localPref;
      if (before !== localPref)
        throw new Unacceptable(
          `prefix [${prefixes.join(' ')}] is configured with both local preference ` +
            `${before} and ${localPref}`,
        );
      known.set(prefix, localPref);
    }
}

/** The local preference of each prefix that has one. Throws Unacceptable. */
export function localPrefsOf(
  neighbor: Neighbor,
  available: readonly string[],
): ReadonlyMap<string, number> {
  const { allowed = {}, withLocalPref = [], withCommunity = [] } = neighbor.toAdvertise ?? {};
  const told = new Set(allowed.mode === 'all' ? available : (allowed.prefixes ?? []));
  const prefs = new Map<string, number>();
  const fail = (why: string): never => {
    throw new Unacceptable(
      `failed to process local pref for neighbor ${nameOf(neighbor)}, err: ${why}`,
    );
  };
  for (const { localPref = 0, prefixes = [] } of withLocalPref)
    for (const prefix of prefixes) {
      if (!told.has(prefix))
        fail(`localPref ${localPref} associated to non existing prefix ${prefix}`);
      prefs.set(prefix, localPref);
    }
  for (const { community = '', prefixes = [] } of withCommunity) {
    if (!isCommunity(community)) fail(`invalid community ${community}, err: invalid community`);
    const missing = prefixes.find((prefix) => !told.has(prefix));
    if (missing !== undefined)
      fail(
        `prefix ${missing} is advertised for community ${community} but it's not in the ` +
          'advertisement list of the neighbor',
      );
  }
  return prefs;
}

/** `65000:100`, or `large:1:2:3`. */
function isCommunity(text: string): boolean {
  const fits = (bits: number) => (part: string) => /^\d+$/.test(part) && Number(part) < 2 ** bits;
  const parts = text.split(':');
  if (parts.length === 2) return parts.every(fits(16));
  return parts.length === 4 && parts[0] === 'large' && parts.slice(1).every(fits(32));
}
