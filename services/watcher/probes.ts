/** Which nodes are probed and when, and what follows from it (`spec/egressip.md` 6.4, 9.10). */
import { managementAddresses } from '../../core/annotated.ts';
import type { ProbeAnswer } from '../../core/door.ts';
import type { Node } from '../../core/fact.ts';
import type { Act, Settings } from './input.ts';
import { Isolation } from './isolation.ts';
import { Member } from './member.ts';
import { Wishes } from './wishes.ts';

export class Probes {
  readonly members = new Map<string, Member>();
  readonly wishes = new Wishes();
  readonly isolation = new Isolation();
  settings: Settings;
  /** Counts the slots since this life began. */
  #slot = 0;
  #asked = 0;
  /** Something has changed since `settle` that may matter to it. */
  #stale = true;
  /** A node is as good as lost, but was not found so yet. */
  #waiting = false;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** The node joins or leaves the probed ones, or stays. A replaced or moved one starts anew. */
  look(name: string, node: Node | undefined, told: boolean | undefined): readonly Act[] {
    const member = this.members.get(name);
    const addresses = node === undefined ? undefined : this.#addressesOf(node);
    const uid = node?.uid ?? '';
    if (member?.uid === uid && member.addresses.join() === addresses?.join()) return [];
    const left: readonly Act[] = this.members.delete(name) ? [{ kind: 'Forget', node: name }] : [];
    this.#stale ||= left.length > 0;
    if (addresses === undefined) return left;
    const joined = new Member(name, uid, addresses, hashOf(name) % slotsOf(this.settings));
    joined.reachable =
      member === undefined ? told : member.uid === uid ? member.reachable : undefined;
    this.members.set(name, joined);
    return [...left, this.#probe(joined)];
  }

  #addressesOf(node: Node): readonly string[] | undefined {
    if (this.settings.probing === 'off' || !node.ready) return undefined;
    if (this.settings.excluded?.matches(node.labels) === true) return undefined;
    if (!this.wishes.want(node.labels)) return undefined;
    return managementAddresses(node.annotations).value?.map(({ text }) => text);
  }

  /**
   * A slot is over: whose turn it is. Each node has its own slot of the interval; one that is not
   * sure is asked every half interval. A turn that comes while the last probe runs is dropped.
   */
  tick(): readonly Act[] {
    this.#slot++;
    const slots = slotsOf(this.settings);
    const due: Act[] = [];
    for (const member of this.members.values()) {
      const isTurn = member.unsure
        ? this.#slot - member.startedSlot >= slots / 2
        : this.#slot % slots === member.offset;
      if (isTurn && !member.busy) due.push(this.#probe(member));
    }
    return due;
  }

  #probe(member: Member): Act {
    const { probing, port, deadlineMs } = this.settings;
    const mode = probing === 'tcp' ? 'tcp' : 'grpc';
    const { node, addresses } = member;
    member.busy = true;
    member.startedSlot = this.#slot;
    member.ask = ++this.#asked;
    return { kind: 'Probe', ask: member.ask, request: { node, addresses, mode, port, deadlineMs } };
  }

  /** Takes in an answer; true when the node is found reachable by it. An old one is nothing. */
  answer(node: string, ask: number, answer: ProbeAnswer): boolean {
    const member = this.members.get(node);
    if (member === undefined || member.ask !== ask || !member.busy) return false;
    // Most answers are as usual: they are not worth a look at all nodes.
    const isNews = member.unsure || (!member.answered && this.isolation.isolated);
    this.#stale ||= isNews || this.#waiting || !answer.reachable || answer.doubtful === true;
    return member.hear(answer, this.settings);
  }

  /**
   * Finds nodes unreachable; returns their names. What began together is judged together: a node
   * waits until all that were asked before it, or with it, have answered or failed to. While the
   * prober doubts itself, no node is newly found unreachable; `takingOver`: not even one that never
   * answered, since a running cluster would lose all its addresses to a wrong port.
   */
  settle(takingOver: boolean): readonly string[] {
    if (!this.#stale) return [];
    this.#stale = false;
    const members = [...this.members.values()];
    const renewed = this.isolation.judge(members, this.#slot, this.settings);
    if (renewed) for (const member of members) member.beginAnew();
    let oldest = Infinity;
    for (const { busy, startedSlot } of members) if (busy) oldest = Math.min(oldest, startedSlot);
    const silent = members.filter((member) => member.isLost(this.settings));
    const lost = silent.filter(({ startedSlot, reachable }) => {
      const isHeld = this.isolation.isolated && (takingOver || reachable === true);
      return startedSlot < oldest && !isHeld;
    });
    this.#waiting = lost.length < silent.length;
    for (const member of lost) member.lose(this.#slot);
    return lost.map(({ node }) => node);
  }

  /** Whether every probed node answered, or failed to, at least once. */
  get complete(): boolean {
    for (const member of this.members.values()) if (member.reachable === undefined) return false;
    return true;
  }
}

const slotsOf = ({ slots = 1 }: Settings): number => slots;

/** Spreads names evenly, and the same name always to the same place (FNV-1a, 32 bits). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
