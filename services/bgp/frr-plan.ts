/** What becomes of all FRRConfigurations together: new ones come before old ones go. */
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { count, list } from '../../core/say.ts';
import { bad, good, type Judged, notYet, underWay } from './condition.ts';
import { owner, type Piece, piecesOf, wantsOf } from './frr.ts';
import { areAtOdds } from './frr-spec.ts';
import type { Group } from './group.ts';
import { crdOf } from './kinds.ts';
import { FRR_PREFIX, isOurs, standingOf } from './ownership.ts';
import { absent, frrLabels, present, type Want } from './want.ts';
import type { World } from './world.ts';
import type { Named } from './zone-name.ts';

const TYPE = 'FRRConfigurationApplied';
const object = 'FRRConfiguration';
const NAMED = 10;

export interface FrrPlan {
  readonly wants: readonly Want[];
  readonly pieces: readonly Piece[];
  readonly judged: Judged;
}

/** Ours by label or by decision; a label on something called otherwise makes it not ours (W-15). */
export function ownFrr(world: World): readonly ManagedObject[] {
  return world
    .objectsOf(object)
    .filter((seen) => seen.name.startsWith(FRR_PREFIX) && isOurs(world, seen));
}

/** Those that are decided to be, but are not there. */
function missingFrr(world: World): readonly Named[] {
  return [...world.objectsDecided.values()].filter(
    (one) => one.object === object && one.want === 'present' && !world.object(object, one.name),
  );
}

interface Circumstances {
  /** FRR runs somewhere; before, nothing is made, but what is there is kept. */
  readonly ready: boolean;
  /** A zone that was changed is coming up again. */
  readonly busy: boolean;
  /** What is wrong with the spec, or undefined. */
  readonly wrong: string | undefined;
  /** The spec is another one than that of the last decision. */
  readonly edited: boolean;
}

export function planFrr(
  world: World,
  config: BgpConfig,
  groups: readonly Group[] | undefined,
  { ready, busy, wrong, edited }: Circumstances,
): FrrPlan {
  if (!world.isServed('frrconfigurations')) {
    const message = `${crdOf.FRRConfiguration} is not served by this cluster (yet)`;
    return { wants: [], pieces: [], judged: notYet(TYPE, 'NotServed', message) };
  }
  const nothing = { wants: edited ? stopped(world) : [], pieces: [] };
  if (wrong !== undefined) return { ...nothing, judged: bad(TYPE, 'InvalidSpec', wrong) };
  if (groups === undefined || groups.length === 0) {
    const where = config.aws === undefined ? 'the spec names no zone' : 'AWS told no neighbors yet';
    return { ...nothing, judged: notYet(TYPE, 'WaitingForNeighbors', where) };
  }
  const own = ownFrr(world);
  if (!ready && own.length === 0)
    return { ...nothing, judged: notYet(TYPE, 'WaitingForFRR', 'FRR is not ready on any node') };
  const there = [...own, ...missingFrr(world)];
  const pieces = piecesOf(world, config, groups, there);
  const wants = [...wantsOf(world, pieces, busy), ...prune(world, pieces, there)];
  return { wants, pieces, judged: judge(pieces) };
}

/**
 * The spec that asked for them is gone, and the new one asks for nothing yet: what runs goes on as
 * it is, and nothing is tried any more that did not come about.
 */
function stopped(world: World): readonly Want[] {
  const asked = [...world.objectsDecided.values()].filter(
    (one) => one.object === object && one.want === 'present',
  );
  return asked.map(({ name }) => {
    const because = 'what the spec said before does not count any more';
    const { ours: seen } = standingOf(world, object, name);
    if (seen === undefined) return gone(world, name, because);
    const about = { object, name, uid: seen.uid, ...owner, because } as const;
    return present(about, { labels: frrLabels, spec: seen.spec });
  });
}

/** Old ones go when all new ones are in, or when a new one cannot come in beside them. */
function prune(world: World, pieces: readonly Piece[], there: readonly Named[]): readonly Want[] {
  const wanted = new Set(pieces.map(({ name }) => name));
  const allIn = pieces.every(({ state }) => state === 'applied');
  const blocked = pieces.filter(({ state }) => state === 'blocked');
  const goes = ({ name, spec }: Named): boolean =>
    !wanted.has(name) &&
    (allIn ||
      world.object(object, name) === undefined ||
      blocked.some((piece) => areAtOdds(piece.spec, spec)));
  return there.filter(goes).map(({ name }) => gone(world, name, 'no zone needs it any more'));
}

function gone(world: World, name: string, because: string): Want {
  return absent({ object, name, uid: world.object(object, name)?.uid ?? '', ...owner, because });
}

/** All of ours, when the CUDNBgpConfig is deleted. */
export function removeFrr(world: World): readonly Want[] {
  return [...ownFrr(world), ...missingFrr(world)].map(({ name }) =>
    gone(world, name, 'the CUDNBgpConfig is deleted'),
  );
}

function judge(pieces: readonly Piece[]): Judged {
  const foreign = pieces.filter(({ state }) => state === 'foreign');
  if (foreign.length > 0)
    return bad(
      TYPE,
      'ForeignObject',
      list(
        foreign.map(({ words }) => words),
        NAMED,
      ),
    );
  const blocked = pieces.filter(({ state }) => state === 'blocked');
  const odd = pieces.filter(({ state }) => state === 'odd');
  if (blocked.length + odd.length > 0)
    return underWay(
      TYPE,
      'ReplacingSessions',
      [...blocked.map(({ words }) => words), ...odd.map(oddWords)].join('; '),
    );
  const pending = pieces.filter(({ state }) => state === 'pending').map(({ name }) => name);
  if (pending.length > 0)
    return underWay(TYPE, 'Applying', `${list(pending, NAMED)} not as wanted yet`);
  return good(TYPE, 'Applied', `${count(pieces.length, 'FRRConfiguration')} applied`);
}

const oddWords = ({ name }: Piece): string =>
  `sessions of ${name} change, zone by zone, as soon as OVN-Kubernetes has no copy of it`;
