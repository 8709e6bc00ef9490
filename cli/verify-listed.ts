/** What the cluster has now of the kinds that Sluice writes, told as a watcher would tell it. */
import type { Fact } from '../core/fact.ts';
import type { Kind, Thing } from '../services/watcher/kinds.ts';
import { cloudClaimKind, egressIPKind, plainKinds } from '../services/watcher/kinds.ts';

/** The kinds whose objects the publisher makes or changes. */
export const writtenKinds = [egressIPKind, cloudClaimKind, ...plainKinds].filter(
  ({ written }) => written === true,
) as readonly unknown[] as readonly Kind<Thing>[];

/** The complete collection of one kind. */
export interface Listed {
  readonly kind: Kind<Thing>;
  /** A kind that is not served has none. */
  readonly things: readonly Thing[];
}

/** What is news to somebody who was told this, the last fact on each object by its topic. */
export function factsOf(
  listed: readonly Listed[],
  told: ReadonlyMap<string, Fact>,
): readonly Fact[] {
  return listed.flatMap(({ kind, things }) => {
    const names = new Set(things.map(({ name }) => name));
    const known = [...told].filter(([topic]) => topic.startsWith(`${kind.topic}/`));
    const gone = known
      .map(([, fact]) => kind.toldBy(fact))
      .filter((thing) => thing !== undefined && !names.has(thing.name)) as readonly Thing[];
    return [
      ...gone.map(({ name, uid }) => kind.gone(name, uid)),
      ...things.map((thing) => kind.seen(thing)),
    ];
  });
}
