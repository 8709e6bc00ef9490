/**
 * An EgressIP or Node as the publisher knows it: what is wanted of it, what it is, what is under
 * way.
 */
import type { Refusal } from '../../core/decision.ts';
import type { Item } from '../../core/fact.ts';
import type { Contested } from './contest.ts';
import { Noted } from './noted.ts';

/** The last decision on the object. */
export interface Wanted {
  readonly sequence: number;
  readonly atMs: number;
  readonly uid: string;
  readonly items: readonly Item[];
  readonly mark: number;
  /** The items are wanted of the cloud; they enter the status as it confirms them. */
  readonly cloud: boolean;
  readonly refusals: readonly Refusal[];
}

/** What a write in flight will leave on the object. */
export interface Write {
  readonly items: readonly Item[];
  readonly mark: number;
  readonly wrote: string;
  /** The sequence of the decision that is carried out. */
  readonly decision: number;
}

export class Thing extends Noted implements Contested {
  declare readonly kind: 'egressip' | 'node';
  /** What the cluster has, as far as we know: last seen, or accepted from us since. */
  items: readonly Item[] = [];
  marked = false;
  /** What facts told of both last. */
  shownItems: readonly Item[] = [];
  shownMark = false;
  wanted: Wanted | undefined = undefined;
  /** The write under way is its first status. */
  starting = false;
  writing: Write | undefined = undefined;
  /** Attempts in a row that failed. */
  failedWrites = 0;
  /** What the server refused for good (`keyOf`); it is not tried again. */
  refused = '';
  /** The decision whose mark the server refuses; the status is written without it. */
  markRefused = 0;
  /** What was accepted from us last (`keyOf`): the same again is a restoration. */
  accepted = '';
  /** The version of the object after that, or ''. */
  version = '';
  /** When what is ours was restored lately, in milliseconds since 1970. */
  restored: readonly number[] = [];
  /** Nothing is restored before; 0 = at once. */
  heldUntilMs = 0;
  /** How often in a row it was held. */
  holds = 0;
  /** Who keeps rewriting what is ours; `undefined` = nobody. */
  foreign: string | undefined = undefined;
  /** Who was the last to do it, as far as it was seen; ''. */
  stranger = '';
  /** Shadow mode: the decision that was last told. */
  shadowed = 0;

  constructor(kind: 'egressip' | 'node', name: string) {
    super(kind, name);
  }

  /** A fact tells whether it carries its mark. */
  show(items: readonly Item[], marked: boolean): void {
    this.shownItems = items;
    this.shownMark = marked;
    this.marked = marked;
  }

  /** The decision, if it is on the object that is in the cluster now. */
  get current(): Wanted | undefined {
    return this.uid !== '' && this.wanted?.uid === this.uid ? this.wanted : undefined;
  }
}

/** What a write brings about, as a text to compare. */
export const keyOf = (decision: number, items: readonly Item[], mark: number): string =>
  [decision, mark, ...items.map(({ egressIP, node }) => `${egressIP}@${node}`).sort()].join(' ');

/** Status lists are sets: their order carries no meaning (`spec/egressip.md` 11.1). */
export function sameItems(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length !== b.length) return false;
  const keys = new Set(a.map(({ egressIP, node }) => `${egressIP} ${node}`));
  return keys.size === a.length && b.every(({ egressIP, node }) => keys.has(`${egressIP} ${node}`));
}
