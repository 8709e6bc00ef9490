/** What `sluice diff` was asked about: all, or one object with what is made for it. */
import type { Difference } from '../services/publisher/difference.ts';
import type { World } from '../services/publisher/world.ts';
import { didYouMean, exit, Failure } from './failure.ts';

/** The words for each kind; a name alone is an EgressIP's. */
const kinds: Readonly<Record<string, 'egressip' | 'cudnbgpconfig' | 'cudnbgprouting'>> = {
  ...{ egressip: 'egressip', egressips: 'egressip', eip: 'egressip' },
  ...{ cudnbgpconfig: 'cudnbgpconfig', cudnbgpconfigs: 'cudnbgpconfig' },
  ...{ cudnbgprouting: 'cudnbgprouting', cudnbgproutings: 'cudnbgprouting' },
};

export interface Target {
  /** `EgressIP web`, `cudnbgprouting/prod`. */
  readonly title: string;
  readonly has: (difference: Difference) => boolean;
}

/** Throws Failure 64 when there is no such kind, or no such object in the cluster. */
export function targetOf(world: World, word: string): Target {
  const slash = word.indexOf('/');
  const given = slash < 0 ? 'egressip' : word.slice(0, slash).toLowerCase();
  const kind = Object.hasOwn(kinds, given) ? kinds[given] : undefined;
  const name = word.slice(slash + 1);
  if (kind === 'egressip') return egressIP(world, name);
  if (kind !== undefined) return resource(world, kind, name);
  const form = 'NAME of an EgressIP, cudnbgpconfig/NAME or cudnbgprouting/NAME';
  throw new Failure(exit.usage, `"${word}": ${form} is the form`);
}

/** Its own differences, and those of the claims of its addresses. */
function egressIP({ egressIPs }: World, name: string): Target {
  const thing = egressIPs.get(name);
  const known = [...egressIPs.values()].filter(({ uid }) => uid !== '').map((one) => one.name);
  if (thing === undefined || thing.uid === '') throw missing(`EgressIP ${name}`, name, known);
  const own = thing.wanted?.items.map(({ egressIP: address }) => address) ?? [];
  return {
    title: `EgressIP ${name}`,
    has: (one) =>
      one.kind === 'egressip'
        ? one.name === name
        : one.kind === 'cloudprivateipconfig' && own.includes(one.what),
  };
}

/** Its own, those of what is made for it, and of what all routings share. */
function resource(
  { routing }: World,
  kind: 'cudnbgpconfig' | 'cudnbgprouting',
  name: string,
): Target {
  const there = [...routing.resources].filter((one) => one.kind === kind && one.seen !== undefined);
  const title = `${kind}/${name}`;
  const names = there.map((one) => one.name);
  if (!names.includes(name)) throw missing(title, name, names);
  const owners = [title, `${kind}/*`];
  const owned = [...routing.managed].filter(({ wanted }) =>
    owners.includes(wanted?.decision.owner ?? ''),
  );
  const topics = new Set(owned.map(({ object, name: of }) => `${object.toLowerCase()}/${of}`));
  topics.add(title);
  return { title, has: (one) => topics.has(`${one.kind}/${one.name}`) };
}

const missing = (what: string, name: string, known: readonly string[]): Failure =>
  new Failure(exit.usage, `there is no ${what}; see sluice status.${didYouMean(name, known)}`);
