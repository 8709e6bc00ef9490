/** How often somebody undoes what is ours, and for how long it is then left alone. */

export interface Contested {
  /** When what is ours was restored lately, in milliseconds since 1970. */
  restored: readonly number[];
  /** Nothing is restored before; 0 = at once. */
  heldUntilMs: number;
  /** How often in a row it was held. */
  holds: number;
  /** Who keeps rewriting what is ours; `undefined` = nobody. */
  foreign: string | undefined;
  /** Who was the last to do it, as far as it was seen; ''. */
  stranger: string;
}

/** With so many restorations within the window an object is held. */
export interface Limits {
  readonly most: number;
  readonly windowMs: number;
}

/** For BGP routing; a few fewer than the promised 40 within 20 s. */
export const ROUTING_LIMITS: Limits = { most: 30, windowMs: 20_000 };

/** Who restores nothing for so long has no opponent any more. */
export const PEACE_MS = 120_000;
/** So many restorations within `PEACE_MS` are told: once is an accident, this is another writer. */
const INSISTENT = 5;
const FIRST_HOLD_MS = 10_000;
const LONGEST_HOLD_MS = 60_000;

/** What is ours was restored. True when its opponent is to be told of now. */
export function contested(
  thing: Contested,
  { most, windowMs }: Limits,
  atMs: number,
  stranger: string,
): boolean {
  if (stranger !== '') thing.stranger = stranger;
  if (atMs - (thing.restored.at(-1) ?? 0) >= PEACE_MS) pacified(thing);
  thing.restored = [...thing.restored, atMs].slice(-most);
  const lately = thing.restored.filter((restoredMs) => atMs - restoredMs < windowMs);
  if (lately.length >= most || thing.holds > 0) {
    thing.heldUntilMs = atMs + Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** thing.holds);
    thing.holds++;
  }
  if (thing.restored.length < INSISTENT || thing.foreign !== undefined) return false;
  thing.foreign = thing.stranger || 'somebody';
  return true;
}

/** Its opponent is no more. */
export function pacified(thing: Contested): void {
  thing.restored = [];
  thing.holds = 0;
  thing.heldUntilMs = 0;
  thing.foreign = undefined;
}
