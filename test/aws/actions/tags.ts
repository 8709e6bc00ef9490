/** CreateTags and DeleteTags: several things at once, all or none. */
import { type Ask, mutation } from '../ask.ts';
import type { Tags, Thing } from '../model.ts';
import { list, tags, tagsToDelete } from '../params.ts';
import { missing, Refusal, unknownId } from '../refusal.ts';
import { shelfOf } from '../world.ts';

const MOST_TAGS = 50;

/** Throws TagLimitExceeded for more tags than a thing may have. */
export function checkTagCount(given: Tags): void {
  if (Object.keys(given).length <= MOST_TAGS) return;
  throw new Refusal('TagLimitExceeded', `The maximum number of tags is ${MOST_TAGS}`);
}

export const createTags = mutation(['ResourceId', 'Tag'], (ask) => {
  const given = tags(ask.params, 'Tag');
  if (Object.keys(given).length === 0) throw missing('Tag');
  const tagged = named(ask).map((thing) => ({ ...thing, tags: { ...thing.tags, ...given } }));
  for (const thing of tagged) checkTagCount(thing.tags);
  return putAll(ask, tagged);
});

/** A tag that is named with a value goes only if it has that value. */
export const deleteTags = mutation(['ResourceId', 'Tag'], (ask) => {
  const doomed = tagsToDelete(ask.params, 'Tag');
  const goes = (key: string, value: string): boolean =>
    doomed.length === 0 || doomed.some(([k, v]) => k === key && (v ?? value) === value);
  const left = named(ask).map((thing) => {
    const kept = Object.entries(thing.tags).filter(([key, value]) => !goes(key, value));
    return { ...thing, tags: Object.fromEntries(kept) };
  });
  return putAll(ask, left);
});

function named({ region, params }: Ask): Thing[] {
  const ids = list(params, 'ResourceId');
  if (ids.length === 0) throw missing('ResourceId');
  return ids.map((id) => {
    const thing = shelfOf(region, id).get(id);
    if (thing === undefined) throw unknownId(id.slice(0, id.lastIndexOf('-')), [id]);
    return thing;
  });
}

function putAll({ region, nowMs }: Ask, things: readonly Thing[]): { return: boolean } {
  for (const thing of things) shelfOf(region, thing.id).put(thing, nowMs);
  return { return: true };
}
