/** An EgressIP or Node as the publisher knows it: what is wanted of it, what it is, what is under way. */
import type { Notice } from '../../core/decision.ts';
import type { Item } from '../../core/fact.ts';
import type { Telling, Write } from './input.ts';

/** The last decision on the object. */
export interface Wanted {
  readonly sequence: number;
  readonly atMs: number;
  readonly uid: string;
  readonly items: readonly Item[];
  readonly mark: number;
  readonly notices: readonly Notice[];
}

export class Thing {
  readonly kind: 'egressip' | 'node';
  readonly name: string;
  /** Of the object in the cluster; '' = not there. */
  uid = '';
  /** What the cluster has, as far as we know: last seen, or accepted from us since. */
  items: readonly Item[] = [];
  marked = false;
  wanted: Wanted | undefined = undefined;
  /** The sequence of the decision whose notices were last recorded; 0 = none. */
  told = 0;
  /** Decisions whose notices are still to be recorded, oldest first. */
  readonly untold: Wanted[] = [];
  writing: Write | undefined = undefined;
  telling: Telling | undefined = undefined;
  /** Attempts in a row that failed. */
  failedWrites = 0;
  failedTells = 0;
  /** The server refused this decision for good: it is not tried again. */
  refused = 0;

  constructor(kind: 'egressip' | 'node', name: string) {
    this.kind = kind;
    this.name = name;
  }
}

/** Status lists are sets: their order carries no meaning (`spec/egressip.md` 11.1). */
export function sameItems(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length !== b.length) return false;
  const keys = new Set(a.map(({ egressIP, node }) => `${egressIP} ${node}`));
  return keys.size === a.length && b.every(({ egressIP, node }) => keys.has(`${egressIP} ${node}`));
}
