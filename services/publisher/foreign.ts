/** Somebody else who keeps rewriting what is ours: restored at once, but never fought for long. */
import type { Done } from './input.ts';
import type { Thing } from './object.ts';
import { published } from './sayings.ts';
import { notify } from './tell.ts';
import type { World } from './world.ts';

/**
 * With so many restorations within the window an object is held; a few fewer than the promised 60.
 */
const MOST = 50;
const WINDOW_MS = 10_000;
/** Who restores nothing for so long has no opponent any more. */
const PEACE_MS = 120_000;
/** So many restorations within `PEACE_MS` are told: once is an accident, this is another writer. */
const INSISTENT = 5;
const FIRST_HOLD_MS = 10_000;
const LONGEST_HOLD_MS = 60_000;

/** The server accepted a write. Of what it had accepted before: then somebody had undone it. */
export function beForeign(world: World, thing: Thing, key: string, done: Done): void {
  const { atMs, stranger = '' } = done;
  const again = thing.accepted === key;
  thing.accepted = key;
  if (!again) return;
  if (stranger !== '') thing.stranger = stranger;
  world.tally.foreign++;
  const last = thing.restored.at(-1) ?? 0;
  if (atMs - last >= PEACE_MS) {
    thing.restored = [];
    thing.holds = 0;
    thing.foreign = undefined;
  }
  thing.restored = [...thing.restored, atMs].slice(-MOST);
  const lately = thing.restored.filter((restoredMs) => atMs - restoredMs < WINDOW_MS);
  if (lately.length >= MOST || thing.holds > 0) {
    thing.heldUntilMs = atMs + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** thing.holds);
    thing.holds++;
  }
  if (thing.restored.length < INSISTENT || thing.foreign !== undefined) return;
  name(world, thing);
}

/** Who it is, is told on the object and on the log. */
function name(world: World, thing: Thing): void {
  const who = thing.stranger === '' ? 'somebody' : thing.stranger;
  thing.foreign = who;
  const said = `${who} keeps rewriting what Sluice owns here`;
  const note = `${said}: the status and the mark; it is restored, but ever more rarely`;
  notify(world, thing, { reason: 'ForeignWriter', type: 'Warning', note }, world.nowMs);
  world.says.push(published(thing, { decision: thing.wanted?.sequence }, said));
}
