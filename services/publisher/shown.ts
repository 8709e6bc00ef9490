/** What was written and no fact shows: it is looked at, as somebody may have undone it unseen. */
import { CLOUD_OWNER, EGRESSIP_MARK } from '../../core/annotation.ts';
import type { KubeObject } from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';
import { managedOf } from '../../core/managed-object.ts';
import { same } from '../../core/same.ts';
import { Claim } from './claims.ts';
import { CLAIMS, EGRESSIPS, type LookAct, type Looked } from './input.ts';
import { itemsIn } from './look.ts';
import { Managed } from './managed.ts';
import { loseObject, seeStored } from './managed-fold.ts';
import { readRequest } from './managed-requests.ts';
import { sameItems, Thing } from './object.ts';
import { seeResource, storedResource } from './resource-fold.ts';
import { resourceRequest } from './resource-requests.ts';
import type { World, Written } from './world.ts';

/** So long a fact may take. */
const SHOWN_MS = 10_000;
/** A watcher may be away for hours. */
const LONGEST_MS = 300_000;

/**
 * Facts are levels: of an object that came and went between two lists of the watcher, and of a
 * change that was undone by then, none tells. Once a fact shows what we believe, facts tell all.
 */
export function expectShown(world: World, thing: Written, atMs: number): void {
  if (!isShown(thing)) world.unshown.set(thing, { lookMs: atMs + SHOWN_MS, looks: 0 });
}

function isShown(thing: Written): boolean {
  if (!(thing instanceof Thing)) return thing.seen === undefined || same(thing.seen, thing.shown);
  const { uid, items, shownItems, marked, shownMark } = thing;
  return uid === '' || (marked === shownMark && sameItems(items, shownItems));
}

/** It is later now: who waited long enough is looked at. */
export function dueLooks({ unshown, toLook }: World, atMs: number): void {
  for (const [thing, { lookMs }] of unshown)
    if (isShown(thing)) unshown.delete(thing);
    else if (lookMs <= atMs) toLook.add(thing);
}

export function takeLook(world: World, thing: Written): LookAct | undefined {
  const doubt = world.unshown.get(thing);
  if (doubt === undefined || isShown(thing) || isBusy(thing)) return undefined;
  world.looking.add(thing);
  return { kind: 'Look', of: thing, request: requestOf(thing), lookMs: doubt.lookMs };
}

const isBusy = (thing: Written): boolean =>
  thing instanceof Thing ? thing.writing !== undefined : thing.acting !== undefined;

function requestOf(thing: Written): LookAct['request'] {
  if (thing instanceof Managed) return readRequest(thing.object, thing.name);
  if (!(thing instanceof Thing) && !(thing instanceof Claim)) return resourceRequest(thing);
  const path = `${thing instanceof Thing ? EGRESSIPS : CLAIMS}/${thing.name}`;
  return { method: 'GET', path, contentType: 'application/json', body: undefined };
}

/** What was written, or shown, meanwhile counts more. */
export function looked(world: World, { act, status, stored, atMs }: Looked): void {
  const { of: thing } = act;
  const doubt = world.unshown.get(thing);
  world.looking.delete(thing);
  if (doubt?.lookMs !== act.lookMs || isShown(thing)) return;
  const waitMs = Math.min(LONGEST_MS, SHOWN_MS * 2 ** (doubt.looks + 1));
  world.unshown.set(thing, { lookMs: atMs + waitMs, looks: doubt.looks + 1 });
  if (isBusy(thing)) return;
  if (status === 404) missing(world, thing);
  else if (stored !== undefined) found(world, thing, stored);
}

/** An EgressIP is seen before it is written: a fact will tell that it is gone. */
function missing(world: World, thing: Written): void {
  if (thing instanceof Thing) return;
  const uid = thing.seen?.uid ?? '';
  if (thing instanceof Managed) return loseObject(world, thing, uid);
  if (!(thing instanceof Claim))
    return seeResource(world, thing.kind, { name: thing.name, uid }, false);
  world.claims.see(thing, undefined);
  world.stir(thing);
}

/** Of another object that has its name by now facts will tell. */
function found(world: World, thing: Written, stored: KubeObject): void {
  const { uid } = stored.metadata;
  if (thing instanceof Managed) return seeStored(world, thing, managedOf(thing.object, stored));
  if (thing instanceof Thing) {
    if (thing.uid !== uid) return;
    const annotations = property(stored.metadata, 'annotations');
    thing.marked = property(annotations, EGRESSIP_MARK) !== undefined;
    world.setItems(thing, itemsIn(stored));
    world.toWrite.add(thing);
  } else if (thing.seen?.uid !== uid) return;
  else if (thing instanceof Claim) {
    const node = textOf(property(stored['spec'], 'node'));
    const owner = textOf(property(property(stored.metadata, 'annotations'), CLOUD_OWNER));
    world.claims.see(thing, { ...thing.seen, node, owner });
    world.stir(thing);
  } else {
    thing.seen = storedResource(thing.seen, stored);
    world.routing.toPublish.add(thing);
  }
}
