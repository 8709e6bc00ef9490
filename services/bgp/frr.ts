/** The FRRConfigurations: one per zone, changed one after the other where sessions must change. */
import { ADVERTISED } from '../../core/annotation.ts';
import type { BgpConfig } from '../../core/bgp-fact.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { isAsWanted } from './comparison.ts';
import { areAtOdds, frrSpecOf } from './frr-spec.ts';
import type { Group } from './group.ts';
import { decidedOn, foreignWords, standingOf } from './ownership.ts';
import { configOwner, frrLabels, ownLabels, present, untouched, type Want } from './want.ts';
import type { World } from './world.ts';
import { type Named, isPositional, namesOf } from './zone-name.ts';

export const owner = configOwner('FRRConfigurationApplied');
const object = 'FRRConfiguration';

/** How the object of a group is. */
export interface Piece {
  readonly group: Group;
  readonly name: string;
  /** The spec that it is to have in the end. */
  readonly spec: string;
  readonly seen: ManagedObject | undefined;
  readonly state: 'applied' | 'pending' | 'odd' | 'blocked' | 'foreign';
  /** What is in the way, half a sentence; '' where nothing is. */
  readonly words: string;
}

/** `there` are our objects, as they are or, where they were deleted, as they are to be. */
export function piecesOf(
  world: World,
  config: BgpConfig,
  groups: readonly Group[],
  there: readonly Named[],
): readonly Piece[] {
  const names = namesOf(groups, there);
  const specs = new Map(there.map(({ name, spec }) => [name, spec]));
  const wanted = new Set(names.values());
  const stale = there.filter(({ name }) => !wanted.has(name) && world.object(object, name));
  const pieces = groups.map((group) => {
    const name = names.get(group) ?? '';
    const taken = isPositional(name) ? (specs.get(name) ?? '') : '';
    return pieceOf(world, group, name, frrSpecOf(config, group, taken), stale);
  });
  return pieces.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function pieceOf(
  world: World,
  group: Group,
  name: string,
  spec: string,
  stale: readonly Named[],
): Piece {
  const { ours: seen, foreign } = standingOf(world, object, name);
  const piece = { group, name, spec, seen, words: '' };
  if (foreign !== undefined)
    return { ...piece, seen: foreign, state: 'foreign', words: foreignWords(object, name) };
  if (seen !== undefined) {
    if (areAtOdds(seen.spec, spec)) return { ...piece, state: 'odd' };
    const applied = isAsWanted({ labels: frrLabels, dropped: [], spec }, seen);
    return { ...piece, state: applied ? 'applied' : 'pending' };
  }
  const odd = stale.find((other) => areAtOdds(other.spec, spec));
  if (odd !== undefined)
    return { ...piece, state: 'blocked', words: `${name} waits until ${odd.name} is gone` };
  const before = decidedOn(world, object, name);
  if (world.copies.has(name) && before?.want === 'present' && areAtOdds(before.spec, spec))
    return { ...piece, state: 'blocked', words: `${name} waits until its copies are gone` };
  return { ...piece, state: 'pending' };
}

/** What to do with each object now; `busy` while a zone that was changed is coming up again. */
export function wantsOf(world: World, pieces: readonly Piece[], busy: boolean): readonly Want[] {
  const odd = pieces.filter(({ state }) => state === 'odd');
  const begun = odd.find(({ seen }) => seen?.labels[ADVERTISED] !== 'true');
  const next = begun ?? (busy ? undefined : odd[0]);
  return pieces.flatMap((piece) => {
    if (piece.state === 'blocked') return [];
    return [piece.state === 'odd' ? staged(world, piece, piece === next) : plain(piece)];
  });
}

function about({ name, seen }: Piece, because: string) {
  return { object, name, uid: seen?.uid ?? '', ...owner, because } as const;
}

function plain(piece: Piece): Want {
  const { group, spec, state } = piece;
  if (state === 'foreign') return untouched(about(piece, 'it is not ours'));
  return present(about(piece, `zone ${group.title}`), { labels: frrLabels, spec });
}

/**
 * While OVN-Kubernetes has copies of it, frr-k8s refuses other settings of its sessions: it lets go
 * of our label first, until the copies are gone (`frr-ovn-aws-facts.md` 2.4 b).
 */
function staged(world: World, piece: Piece, isNext: boolean): Want {
  const { group, name, spec, seen } = piece;
  const zone = `zone ${group.title}`;
  const now = seen?.spec ?? spec;
  if (!isNext)
    return present(about(piece, `${zone}, changes after others`), { labels: frrLabels, spec: now });
  if (!world.copies.has(name)) return present(about(piece, zone), { labels: frrLabels, spec });
  return present(about(piece, `${zone}, changes when its copies are gone`), {
    ...{ labels: ownLabels, dropped: [ADVERTISED], spec: now },
  });
}
