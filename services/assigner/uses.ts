/** The distinct selectors of all claims, each with how many nodes match it and can host. */
import type { Selector } from '../../core/selector.ts';
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { Use } from './use.ts';

export class Uses {
  readonly #all = new Map<string, Use>();
  /** Selectors whose nodes were not counted yet: that is work for a slice of its own. */
  readonly toCount = new Set<Use>();

  [Symbol.iterator](): Iterator<Use> {
    return this.#all.values();
  }

  /** Gives the claim the selector that it shares with all claims of the same text. */
  enlist(claim: Claim, selector: Selector): void {
    const key = keyOf(selector);
    const use = this.#all.get(key) ?? this.#open(key, selector);
    use.claims.add(claim);
    claim.use = use;
  }

  #open(key: string, selector: Selector): Use {
    const use = new Use(selector);
    this.#all.set(key, use);
    this.toCount.add(use);
    return use;
  }

  /** Takes its selector from the claim; returns it when nobody uses it any more. */
  dismiss(claim: Claim): Use | undefined {
    const use = claim.use;
    if (use === undefined) return undefined;
    claim.use = undefined;
    use.claims.delete(claim);
    use.waiting.delete(claim);
    if (use.claims.size > 0) return undefined;
    this.toCount.delete(use);
    this.#all.delete(keyOf(use.selector));
    return use;
  }

  /** Counts all nodes of a selector; from then on it is kept up to date. */
  recount(use: Use, hosts: Iterable<Host>): void {
    use.reset();
    for (const host of hosts) count(use, host, 1);
    this.toCount.delete(use);
  }

  /** Takes a node out of all counts (-1), before it changes, or puts it in (1), after. */
  count(host: Host, by: 1 | -1, touched: Set<Use>): void {
    for (const use of this.#all.values())
      if (!this.toCount.has(use) && count(use, host, by)) touched.add(use);
  }
}

const keyOf = ({ text, problem }: Selector): string => `${text}\n${problem ?? ''}`;

/** Tells whether the node matches. */
function count(use: Use, host: Host, by: 1 | -1): boolean {
  if (!host.exists || !use.selector.matches(host.labels)) return false;
  use.matching += by;
  if (host.awaited) use.awaited += by;
  if (host.usable) use.usable += by;
  return true;
}
