/** A selector and those who use it; claims with equal selectors share one. */
import type { Selector } from '../../core/selector.ts';
import type { Claim } from './claim.ts';

export class Use {
  readonly selector: Selector;
  readonly claims = new Set<Claim>();
  /** Claims with an address that has no home: a change of a matching node wakes them. */
  readonly waiting = new Set<Claim>();
  /**
   * How many nodes match, usable or not; how many of them only lack their first probe; can host.
   */
  matching = 0;
  awaited = 0;
  usable = 0;

  constructor(selector: Selector) {
    this.selector = selector;
  }

  reset(): void {
    this.matching = 0;
    this.awaited = 0;
    this.usable = 0;
  }
}
