/** Conditions, what each means for the phase, and how a short trouble is not told. */
import type { Condition, Phase, Wait } from '../../core/bgp-decision.ts';
import type { World } from './world.ts';

/** A condition and the phase that it alone would lead to. */
export interface Judged {
  readonly condition: Condition;
  readonly phase: Phase;
}

const told =
  (status: Condition['status'], phase: Phase) =>
  (type: string, reason: string, message: string): Judged => ({
    condition: { type, status, reason, message },
    phase,
  });

/** It is as it should be. */
export const good = told('True', 'Ready');
/** It will be, if nothing goes wrong. */
export const underWay = told('False', 'Configuring');
/** It was not begun, because something else comes first. */
export const notYet = told('Unknown', 'Configuring');
/** It will not be until somebody does something. */
export const bad = told('False', 'Degraded');
/** Nobody can know, and nothing waits for it. */
export const unknown = told('Unknown', 'Ready');

const ranks: readonly Phase[] = ['Ready', 'Configuring', 'Pending', 'Degraded'];

/** The phase of a resource is that of its worst condition. */
export const worst = (phases: readonly Phase[]): Phase =>
  phases.reduce((a, b) => (ranks.indexOf(b) > ranks.indexOf(a) ? b : a), 'Ready');

/** What was said of the resource before, as far as it counts now. */
export interface Before {
  readonly uid: string;
  readonly generation: number;
  readonly conditions: readonly Condition[];
  readonly waits?: readonly Wait[] | undefined;
}

/** An object that is changed by hand is as wanted again long before this. */
export const GRACE_MS = 10_000;

/**
 * A condition that was True stays so for a moment after something went wrong: what is repaired at
 * once is not worth a transition. Not after the spec was edited.
 */
export function calm(
  world: World,
  owner: string,
  generation: number,
  before: Before | undefined,
  judged: Judged,
): Judged {
  const { condition } = judged;
  const key = `${owner} ${condition.type}`;
  const was = before?.conditions.find(({ type }) => type === condition.type);
  if (condition.status === 'True' || was?.status !== 'True' || before?.generation !== generation) {
    world.troubles.delete(key);
    return judged;
  }
  const sinceMs = world.troubles.get(key) ?? world.nowMs;
  world.troubles.set(key, sinceMs);
  if (world.nowMs - sinceMs >= GRACE_MS) return judged;
  world.remind(sinceMs + GRACE_MS);
  return { condition: was, phase: 'Ready' };
}

/** What a resource waits for in this turn, each with the time since when. */
export class Waits {
  readonly #world: World;
  readonly #before: ReadonlyMap<string, number>;
  readonly #now: Wait[] = [];

  constructor(world: World, before: Before | undefined) {
    this.#world = world;
    this.#before = new Map(before?.waits?.map(({ on, sinceMs }) => [on, sinceMs]));
  }

  /** Whether it has been waited for that long; if not, the room is woken when it has. */
  isOver(on: string, ms: number): boolean {
    const sinceMs = this.#before.get(on) ?? this.#world.nowMs;
    this.#now.push({ on, sinceMs });
    const over = this.#world.nowMs - sinceMs >= ms;
    if (!over) this.#world.remind(sinceMs + ms);
    return over;
  }

  list(): readonly Wait[] {
    return this.#now.toSorted((a, b) => (a.on < b.on ? -1 : 1));
  }
}
