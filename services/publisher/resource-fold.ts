/** How the publisher learns of the two custom resources of BGP routing. */
import type { BgpDecision, Resource as Kind } from '../../core/bgp-decision.ts';
import type { BgpOutcome } from '../../core/bgp-outcome.ts';
import type { KubeObject } from '../../core/door.ts';
import type { Heard } from '../../core/event.ts';
import { listOf, property } from '../../core/json.ts';
import { isDeleting, wholeOf } from '../../core/metadata.ts';
import type { Notice } from '../../core/notice.ts';
import { seenStatusOf } from '../../core/seen-status.ts';
import type { AwsJudged, ResourceThing, SeenResource } from './resource.ts';
import type { World } from './world.ts';

type Seen = Omit<SeenResource, 'aws'> & { readonly name: string };
type Gone = { readonly name: string; readonly uid: string };

/** What is gone has a name and a uid only. */
export function seeResource(world: World, kind: Kind, seen: Seen | Gone, aws: boolean): void {
  const thing = world.routing.resource(kind, seen.name);
  world.routing.toPublish.add(thing);
  if (!('finalizers' in seen)) {
    if (thing.seen !== undefined && thing.seen.uid !== seen.uid) return;
    thing.seen = undefined;
    thing.shown = undefined;
    thing.uid = '';
    return world.routing.settleResource(thing);
  }
  if (thing.uid !== seen.uid) {
    thing.uid = seen.uid;
    thing.written = undefined;
    thing.failed = 0;
    thing.restUntilMs = 0;
  }
  const { uid, generation, deleting, finalizers, status } = seen;
  thing.seen = { uid, generation, deleting, finalizers, status, aws };
  thing.shown = thing.seen;
  if (thing.untold.length > 0) world.toTell.add(thing);
}

/** As the server has it now. */
export function storedResource(seen: SeenResource, stored: KubeObject): SeenResource {
  const { metadata } = stored;
  return {
    ...seen,
    generation: wholeOf(property(metadata, 'generation')),
    deleting: isDeleting(metadata),
    finalizers: listOf(property(metadata, 'finalizers')).map(String),
    status: seenStatusOf(stored['status']),
  };
}

type Stands =
  | Extract<BgpDecision, { kind: 'BgpConfigDecided' | 'BgpRoutingDecided' | 'ResourceForgotten' }>
  | AwsJudged;

type Judges = Exclude<Stands, { kind: 'ResourceForgotten' }>;

export function standResource(world: World, heard: Heard, stands: Stands): void {
  const { sequence, atMs } = heard;
  const kind = stands.kind === 'BgpRoutingDecided' ? 'cudnbgprouting' : 'cudnbgpconfig';
  if (stands.kind === 'ResourceForgotten') {
    const thing = world.routing.resource(stands.resource, stands.name);
    if (thing.decided?.uid === stands.uid) thing.decided = undefined;
    thing.untold.length = 0;
    return world.routing.settleResource(thing);
  }
  const thing = world.routing.resource(kind, stands.name);
  const { uid, generation, phase, conditions, notices } = stands;
  const standing = { sequence, atMs, uid, generation, phase, conditions };
  thing.restUntilMs = isFirst(thing, stands) ? atMs + PATIENCE_MS : 0;
  if (stands.kind === 'AwsJudged') {
    thing.judged = { ...standing, status: stands.status, released: stands.released };
    if (sequence > thing.toldAws) tellLater(world, thing, heard, uid, notices);
  } else {
    thing.decided = { ...standing, finalizer: stands.finalizer };
    if (sequence > thing.told) tellLater(world, thing, heard, uid, notices);
  }
  world.routing.toPublish.add(thing);
}

/** So long the first room to judge an edit waits for the other one: one write tells of both. */
const PATIENCE_MS = 1_000;

/** aws-sync had something to say, and has not said it of this spec. */
function isFirst({ judged }: ResourceThing, { kind, uid, generation }: Judges): boolean {
  if (kind !== 'BgpConfigDecided' || judged?.uid !== uid) return false;
  return judged.conditions.length > 0 && judged.generation < generation;
}

function tellLater(
  world: World,
  thing: ResourceThing,
  { stream, sequence, atMs }: Heard,
  uid: string,
  notices: readonly Notice[],
): void {
  if (notices.length === 0) return;
  // Two rooms may speak in the same millisecond, each with the same sequence on its own stream.
  const serial = stream === 'aws-sync' ? `a${sequence.toString(16)}` : '';
  thing.untold.push({ decision: sequence, stream, serial, atMs, uid, notices });
  world.toTell.add(thing);
}

/** What was recorded before a restart is not recorded again. */
export function recallResource(
  world: World,
  { said }: Heard,
  outcome: Extract<BgpOutcome, { kind: 'ResourcePublished' }>,
): void {
  const thing = world.routing.resource(outcome.resource, outcome.name);
  if (outcome.shadow) thing.shadowed = said;
  thing.told = Math.max(thing.told, outcome.told);
  thing.toldAws = Math.max(thing.toldAws, outcome.toldAws);
  const rest = thing.untold.filter(({ decision, stream }) => {
    if (decision === 0) return true;
    return decision > (stream === 'aws-sync' ? thing.toldAws : thing.told);
  });
  thing.untold.splice(0, thing.untold.length, ...rest);
}
