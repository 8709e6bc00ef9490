/** Which nodes are probed, and what the answers add up to (`spec/egressip.md` 6, OKEP-6800 9.10). */
import { managementAddresses } from '../../core/annotated.ts';
import type { Node } from '../../core/fact.ts';
import { compile, type Selector } from '../../core/selector.ts';
import type { EgressIP } from '../../core/fact.ts';
import type { Settings } from './input.ts';

export interface Member {
  readonly node: string;
  readonly uid: string;
  readonly addresses: readonly string[];
  /** A probe is under way. */
  busy: boolean;
  /** Undefined until the first answer. */
  reachable: boolean | undefined;
  because: string;
  /** Answers in a row that contradict `reachable`. */
  contrary: number;
}

interface Wish {
  readonly selector: Selector;
  readonly egressIPs: Set<string>;
}

export class Probes {
  readonly members = new Map<string, Member>();
  readonly #settings: Settings;
  /** The distinct selectors of all EgressIPs: a node is probed when one of them wants it. */
  readonly #wishes = new Map<string, Wish>();
  readonly #wishOf = new Map<string, string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Takes in an EgressIP, or its end. True when the union of selectors changed: look at all nodes. */
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

  /** The node joins or leaves the probed ones. A replaced node starts anew. */
  look(name: string, node: Node | undefined, last: boolean | undefined): 'joined' | 'left' | 'same' {
    const member = this.members.get(name);
    const addresses = node === undefined ? undefined : this.#addressesOf(node);
    if (node === undefined || addresses === undefined) {
      return this.members.delete(name) ? 'left' : 'same';
    }
    const same = member?.uid === node.uid && member.addresses.join() === addresses.join();
    if (same) return 'same';
    const known = member?.uid === node.uid ? member.reachable : member === undefined ? last : undefined;
    this.members.set(name, {
      node: name,
      uid: node.uid,
      addresses,
      busy: false,
      reachable: known,
      because: member?.because ?? '',
      contrary: 0,
    });
    return 'joined';
  }

  #addressesOf(node: Node): readonly string[] | undefined {
    if (this.#settings.probing === 'off' || !node.ready) return undefined;
    if (this.#settings.excluded?.matches(node.labels) === true) return undefined;
    const wanted = [...this.#wishes.values()].some(({ selector }) => selector.matches(node.labels));
    if (!wanted) return undefined;
    return managementAddresses(node.annotations).value?.map(({ text }) => text);
  }

  /** Takes in one answer; true when the node counts differently now. */
  answer(node: string, uid: string, reachable: boolean, because: string): boolean {
    const member = this.members.get(node);
    if (member === undefined || member.uid !== uid) return false;
    member.busy = false;
    if (member.reachable === reachable) {
      member.contrary = 0;
      return false;
    }
    member.contrary++;
    const needed = reachable ? this.#settings.recoveries : this.#settings.failures;
    if (member.reachable !== undefined && member.contrary < needed) return false;
    member.reachable = reachable;
    member.because = because;
    member.contrary = 0;
    return true;
  }

  /** Whether every probed node answered, or failed to, at least once. */
  get complete(): boolean {
    for (const member of this.members.values()) if (member.reachable === undefined) return false;
    return true;
  }
}
