/** How the publisher learns of one object of BGP routing. */
import type { BgpDecision } from '../../core/bgp-decision.ts';
import type { BgpOutcome } from '../../core/bgp-outcome.ts';
import type { Heard } from '../../core/event.ts';
import type { ManagedObject } from '../../core/managed.ts';
import { contentOf, type Managed } from './managed.ts';
import { differs } from './managed-compare.ts';
import { situationOf } from './managed-step.ts';
import { objectPublished } from './routing-sayings.ts';
import type { World } from './world.ts';

/** It may be done now what was not before, and its owner may have another condition. */
export function stir({ routing }: World, managed: Managed): void {
  routing.toManage.add(managed);
  if (managed.wanted !== undefined) routing.stirOwner(managed.wanted.decision.owner);
}

export function seeObject(world: World, seen: ManagedObject): void {
  const managed = world.routing.object(seen.object, seen.name);
  const known = managed.seen;
  managed.shown = seen;
  // What is older than our own write says nothing of it.
  if (known?.uid === seen.uid && seen.generation < known.generation) return;
  managed.heard = seen.uid;
  seeStored(world, managed, seen);
}

/** It is so now, whether a fact tells it or the server itself. */
export function seeStored(world: World, managed: Managed, seen: ManagedObject): void {
  managed.seen = seen;
  changed(managed);
  stir(world, managed);
}

export function loseObject(world: World, managed: Managed, uid: string): void {
  const known = managed.seen;
  // The answer that it was made may come after the fact that it is gone.
  if (managed.heard === uid) managed.heard = '';
  if (managed.shown?.uid === uid) managed.shown = undefined;
  if (known !== undefined && known.uid !== uid) return;
  managed.seen = undefined;
  managed.version = '';
  changed(managed);
  stir(world, managed);
  world.routing.settle(managed);
}

/** What was refused for good is tried at once when the object, or what is wanted, is another. */
function changed(managed: Managed): void {
  if (managed.refused === '' || managed.refused === situationOf(managed)) return;
  managed.refused = '';
  managed.restUntilMs = 0;
}

export function wantObject(
  world: World,
  { sequence, atMs }: Heard,
  decision: Extract<BgpDecision, { kind: 'ObjectDecided' }>,
): void {
  const managed = world.routing.object(decision.object, decision.name);
  const before = managed.wanted;
  const content = contentOf(decision);
  world.routing.want(managed, { sequence, atMs, decision, content });
  const same = before === undefined ? managed.failedIn === sequence : before.content === content;
  if (same) managed.failedIn = sequence;
  else calm(managed);
  remember(world, managed);
  // Forgotten only when all is heard: the fact that it is there may still come.
  stir(world, managed);
}

/** Nothing is known against what is wanted now. */
function calm(managed: Managed): void {
  managed.failed = 0;
  managed.restUntilMs = 0;
  managed.refused = '';
  managed.failing = '';
  managed.failure = '';
}

/**
 * What the server stored is remembered on the log with the decision that it was stored for; where
 * another decision wants the same, it is said of that one too, unless it can be seen anyway.
 */
function remember(world: World, managed: Managed): void {
  const { accepted, acceptedFor, wanted, acceptedIn } = managed;
  if (wanted === undefined || acceptedFor !== wanted.content) return;
  if (accepted === '' || acceptedIn === wanted.sequence) return;
  const { labels, dropped, spec } = wanted.decision;
  const wish = { labels, dropped, spec, accepted: '' };
  managed.acceptedIn = wanted.sequence;
  if (differs({ labels, spec: accepted }, wish).length === 0) return;
  world.says.push(objectPublished(managed, {}, 'is wanted as it was before'));
}

export function recallObject(
  world: World,
  { atMs }: Heard,
  outcome: Extract<BgpOutcome, { kind: 'ObjectPublished' }>,
): void {
  const managed = world.routing.object(outcome.object, outcome.name);
  if (outcome.shadow) {
    managed.shadowed = outcome.decision;
    return;
  }
  if (managed.lived) return;
  managed.accepted = outcome.accepted;
  managed.acceptedIn = outcome.decision;
  managed.made = outcome.wrote === 'delete' ? '' : outcome.uid;
  managed.before = outcome.before;
  managed.failedIn = outcome.decision;
  if (managed.wanted === undefined || managed.wanted.sequence === outcome.decision) {
    managed.failing = outcome.failing;
    managed.failure = outcome.failure;
    managed.failingMs = atMs;
  }
  if (outcome.foreign !== '') {
    managed.foreign = outcome.foreign;
    managed.restored = [atMs];
  }
  stir(world, managed);
  // What was deleted needs no memory.
  if (outcome.wrote === 'delete') world.routing.settle(managed);
}
