/** One probed node: what it answered, and what that adds up to (`spec/egressip.md` 6.4). */
import type { ProbeAnswer } from '../../core/door.ts';
import type { Settings } from './input.ts';

export class Member {
  readonly node: string;
  readonly uid: string;
  readonly addresses: readonly string[];
  /** In which slot of the interval it is probed. */
  readonly offset: number;
  /** The probe that is under way, or the last one. */
  ask = 0;
  busy = false;
  /** When the last probe began. */
  startedSlot = 0;
  /** It has answered, or failed to, in this life of the watcher. */
  answered = false;
  /** Undefined until the first answer. */
  reachable: boolean | undefined;
  because = '';
  /** Failures in a row of a node that does not count as unreachable. */
  failing = 0;
  /** Answers in a row of a node that counts as unreachable. */
  recovering = 0;
  /** The last answer was doubtful. */
  doubtful = false;
  /** When it was found unreachable; long ago, if that was before this life. */
  lostSlot = -Infinity;

  constructor(node: string, uid: string, addresses: readonly string[], offset: number) {
    this.node = node;
    this.uid = uid;
    this.addresses = addresses;
    this.offset = offset;
  }

  /** Its last answer is not what it counts as: it is asked again soon. */
  get unsure(): boolean {
    return this.failing > 0 || this.recovering > 0 || this.doubtful;
  }

  /** Takes in an answer that came in time; true when it is found reachable by it. */
  hear(answer: ProbeAnswer, { recoveries }: Settings): boolean {
    this.busy = false;
    this.answered = true;
    this.doubtful = answer.doubtful === true;
    if (!answer.reachable) return this.#fail(answer.because);
    if (this.reachable === undefined) return this.#found(answer.because);
    if (this.reachable) {
      // A doubtful answer begins the count of failures and does not end it.
      this.failing = this.doubtful ? Math.max(1, this.failing) : 0;
      return false;
    }
    if (!this.doubtful) this.recovering++;
    return this.recovering >= recoveries && this.#found(answer.because);
  }

  #fail(because: string): false {
    this.recovering = 0;
    if (this.reachable !== false) {
      this.failing++;
      this.because = because;
    }
    return false;
  }

  /** Enough failures to be found unreachable; the first answer ever decides alone. */
  isLost({ failures }: Settings): boolean {
    if (this.reachable === undefined) return this.failing > 0;
    return this.reachable && this.failing >= failures && !this.doubtful;
  }

  lose(slot: number): void {
    this.reachable = false;
    this.lostSlot = slot;
    this.failing = 0;
  }

  /** What failed so far is held against it no longer. */
  beginAnew(): void {
    if (this.reachable === true) this.failing = 0;
  }

  #found(because: string): boolean {
    this.reachable = true;
    this.because = because;
    this.failing = 0;
    this.recovering = 0;
    return true;
  }
}
