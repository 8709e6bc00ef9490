/**
 * Nine rules that whatever the reflectors show to a room must keep, after those that etcd's
 * robustness tests hold a watch to: judged against the server's own history.
 */
import type { Collection, KubeObject, Sighting } from '../../../core/door.ts';
import type { Change } from '../api-server.ts';
import type { Checker } from '../checker.ts';
import type { Simulation } from '../simulation.ts';

/** What one reflector has shown so far. */
interface Shown {
  readonly collection: Collection;
  /** The objects as its reader must believe them to be; undefined before the first list. */
  known: Map<string, KubeObject> | undefined;
  /** The version that this picture is of. */
  version: number;
  /** The version from which it watched last; 0 after a list. */
  resumed: number;
}

interface Batch {
  readonly world: Simulation;
  readonly shown: Shown;
  readonly sightings: readonly Exclude<Sighting, { kind: 'Listed' | 'NotServed' }>[];
  /** The changes of the collection since the version that was known before. */
  readonly changes: readonly Change[];
}

type Rule = (batch: Batch) => string | undefined;

const versionOf = (object: KubeObject): number => Number(object.metadata.resourceVersion);

const twice = (world: Simulation): boolean => world.faults.fired.has('watch event twice');

/** The change that a sighting shows; undefined = there never was one like it. */
function changeOf(
  { world, shown }: Batch,
  sighting: Batch['sightings'][number],
): Change | undefined {
  return world.server.history.find((change) => {
    if (change.collection !== shown.collection) return false;
    if (sighting.kind === 'Put') return change.version === versionOf(sighting.object);
    return change.type === 'DELETED' && change.object.metadata.uid === sighting.uid;
  });
}

const versions = (batch: Batch): readonly number[] =>
  batch.sightings.map((sighting) => changeOf(batch, sighting)?.version ?? -1);

const rules: Readonly<Record<string, Rule>> = {
  'watch-filter': (batch) => {
    const strange = batch.sightings.find(
      (one) => one.collection !== batch.shown.collection || changeOf(batch, one) === undefined,
    );
    return strange && `${JSON.stringify(strange).slice(0, 200)} is not of the collection`;
  },
  'watch-ordered': (batch) => {
    const all = versions(batch);
    const back = all.findIndex((version, at) => at > 0 && version < (all[at - 1] ?? 0));
    return back < 0 ? undefined : `${all[back]} comes after ${all[back - 1]}`;
  },
  'watch-unique': (batch) => {
    if (twice(batch.world)) return undefined;
    const all = versions(batch);
    const again = all.find((version, at) => all.indexOf(version) !== at);
    return again === undefined ? undefined : `${again} is shown twice`;
  },
  'watch-reliable': (batch) => {
    const seen = new Set(versions(batch));
    const last = Math.max(...seen);
    const missed = batch.changes.find(({ version }) => version <= last && !seen.has(version));
    return missed && `${missed.version} of ${missed.object.metadata.name} is skipped`;
  },
  'watch-fresh': (batch) => {
    if (twice(batch.world)) return undefined;
    const old = versions(batch).find((version) => version <= batch.shown.version);
    return old === undefined ? undefined : `${old} is older than what is known`;
  },
  'watch-prev-kv': ({ shown, sightings }) => {
    const wrong = sightings.find(
      (one) => one.kind === 'Gone' && uidBefore(shown, sightings, one) !== one.uid,
    );
    return wrong?.kind === 'Gone' ? `${wrong.name} that is gone was never there` : undefined;
  },
  'watch-is-create': ({ shown, sightings, world }) => {
    if (twice(world)) return undefined;
    const wrong = sightings.find((one) => {
      if (one.kind !== 'Put') return false;
      const before = uidBefore(shown, sightings, one);
      return before !== undefined && before !== one.object.metadata.uid;
    });
    return wrong?.kind === 'Put' ? `${wrong.object.metadata.name} is another one` : undefined;
  },
};

/** The uid of what has that name just before a sighting. */
function uidBefore(
  { known }: Shown,
  sightings: Batch['sightings'],
  until: Batch['sightings'][number],
): string | undefined {
  const name = until.kind === 'Put' ? until.object.metadata.name : until.name;
  let uid = known?.get(name)?.metadata.uid;
  for (const one of sightings) {
    if (one === until) break;
    if (one.kind === 'Put' && one.object.metadata.name === name) uid = one.object.metadata.uid;
    if (one.kind === 'Gone' && one.name === name) uid = undefined;
  }
  return uid;
}

export function watchValidators(): Checker {
  const all = new Map<string, Shown>();
  const of = (by: string, collection: Collection): Shown => {
    const fresh: Shown = { collection, known: undefined, version: 0, resumed: 0 };
    const shown = all.get(`${by} ${collection}`) ?? fresh;
    all.set(`${by} ${collection}`, shown);
    return shown;
  };
  return {
    name: 'watch-validators',
    onSeen: (world, by, collection, sightings) => {
      const shown = of(by.name, collection);
      const [first] = sightings;
      if (first?.kind === 'NotServed') shown.known = undefined;
      else if (first?.kind === 'Listed')
        takeList(world, shown, first.objects, by.listed.get(collection));
      else if (shown.known === undefined) world.fail('watch-filter', 'news before a list');
      else takeNews(world, shown, sightings as Batch['sightings']);
    },
    onWatch: (world, by, collection, version) => {
      const shown = of(by.name, collection);
      if (shown.known === undefined) return;
      resumable(world, shown, version);
      if (version < shown.resumed)
        world.fail('watch-bookmarkable', `watches from ${version} after ${shown.resumed}`);
      shown.resumed = version;
    },
  };
}

/**
 * A complete picture is the collection as it was at one version; `of` = the last that was listed.
 */
function takeList(
  world: Simulation,
  shown: Shown,
  objects: readonly KubeObject[],
  of: number | undefined,
): void {
  shown.known = new Map(objects.map((object) => [object.metadata.name, object]));
  shown.resumed = 0;
  const { history } = world.server;
  const newest = Math.max(0, ...objects.map(versionOf));
  const later = history.filter(({ version }) => version >= newest).map(({ version }) => version);
  const all = [newest, ...later, of ?? newest];
  const fits = all.findLast((version) => isPicture(world, shown, version));
  if (fits === undefined) world.fail('watch-atomic', `a list of ${shown.collection} never was`);
  else shown.version = fits;
}

function takeNews(world: Simulation, shown: Shown, sightings: Batch['sightings']): void {
  const changes = world.server.history.filter(
    ({ collection, version }) => collection === shown.collection && version > shown.version,
  );
  const batch: Batch = { world, shown, sightings, changes };
  for (const [name, rule] of Object.entries(rules)) {
    const problem = rule(batch);
    if (problem !== undefined) world.fail(name, `${shown.collection}: ${problem}`);
  }
  shown.version = Math.max(shown.version, ...versions(batch));
  for (const one of sightings)
    if (one.kind === 'Put') shown.known?.set(one.object.metadata.name, one.object);
    else shown.known?.delete(one.name);
  if (!isPicture(world, shown, shown.version))
    world.fail('watch-atomic', `${shown.collection} never was as it is shown now`);
}

function isPicture(world: Simulation, { known, collection }: Shown, version: number): boolean {
  const { objects } = world.server.listAt(collection, version);
  if (objects.length !== known?.size) return false;
  return objects.every((one) => {
    const own = known.get(one.metadata.name);
    return own !== undefined && versionOf(own) === versionOf(one);
  });
}

/** It goes on from a version up to which everything was shown, so nothing is lost in between. */
function resumable(world: Simulation, shown: Shown, version: number): void {
  if (!isPicture(world, shown, version))
    world.fail(
      'watch-resumable',
      `${shown.collection} goes on at ${version}, and missed something`,
    );
}
