/** Somebody else who keeps rewriting what is ours: restored at once, but never fought for long. */
import { contested, type Limits } from './contest.ts';
import type { Done } from './input.ts';
import type { Thing } from './object.ts';
import { published } from './sayings.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

/** A few fewer than the promised 60. */
const LIMITS: Limits = { most: 50, windowMs: 10_000 };

/** The server accepted a write. Of what it had accepted before: then somebody had undone it. */
export function beForeign(world: World, thing: Thing, key: string, done: Done): void {
  const { atMs, stranger = '' } = done;
  const again = thing.accepted === key;
  thing.accepted = key;
  if (!again) return;
  world.tally.foreign++;
  if (contested(thing, LIMITS, atMs, stranger)) name(world, thing);
}

/** Who it is, is told on the object and on the log. */
function name(world: World, thing: Thing): void {
  const said = `${thing.foreign} keeps rewriting what Sluice owns here`;
  const note = `${said}: the status and the mark; it is restored, but ever more rarely`;
  notify(world, thing, { reason: 'ForeignWriter', type: 'Warning', note }, world.nowMs);
  world.says.push(published(thing, { decision: thing.wanted?.sequence }, said));
}
