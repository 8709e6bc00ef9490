/** The union of the selectors of all EgressIPs: which nodes are probed at all (OKEP-6800 9.10). */
import type { EgressIP, Labels } from '../../core/fact.ts';
import { compile, type Selector } from '../../core/selector.ts';

interface Wish {
  readonly selector: Selector;
  readonly egressIPs: Set<string>;
}

export class Wishes {
  /** The distinct selectors, by their text: a thousand EgressIPs may have but a few. */
  readonly #wishes = new Map<string, Wish>();
  readonly #wishOf = new Map<string, string>();

  /** Takes in an EgressIP, or its end; true when the union changed. A bad selector is none. */
  wish(name: string, egressIP: EgressIP | undefined): boolean {
    const selector = egressIP === undefined ? undefined : compile(egressIP.nodeSelector);
    const usable = selector?.problem === undefined ? selector : undefined;
    const before = this.#wishOf.get(name);
    if (before === usable?.text) return false;
    const dropped = before !== undefined && this.#drop(name, before);
    if (usable === undefined) return dropped;
    this.#wishOf.set(name, usable.text);
    const known = this.#wishes.get(usable.text);
    known?.egressIPs.add(name);
    if (known !== undefined) return dropped;
    this.#wishes.set(usable.text, { selector: usable, egressIPs: new Set([name]) });
    return true;
  }

  #drop(name: string, text: string): boolean {
    this.#wishOf.delete(name);
    const wish = this.#wishes.get(text);
    wish?.egressIPs.delete(name);
    if (wish?.egressIPs.size !== 0) return false;
    return this.#wishes.delete(text);
  }

  want(labels: Labels): boolean {
    return [...this.#wishes.values()].some(({ selector }) => selector.matches(labels));
  }
}
