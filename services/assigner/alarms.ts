/**
 * Times at which something is to be thought over again; the shell wakes the room for the earliest.
 */

const none: readonly never[] = [];

export class Alarms {
  /** Address → when. One alarm per address: the earliest. */
  readonly #times = new Map<string, number>();
  /** The earliest of them: most often it is asked whether it has come, and it has not. */
  #earliest = Number.POSITIVE_INFINITY;
  /** The time that the shell was last asked to wake the room for. */
  #asked = Number.POSITIVE_INFINITY;

  set(atMs: number, address: string): void {
    this.#times.set(address, Math.min(atMs, this.#times.get(address) ?? atMs));
    this.#earliest = Math.min(this.#earliest, atMs);
  }

  /** The addresses whose time has come. */
  due(nowMs: number): readonly string[] {
    if (this.#asked <= nowMs) this.#asked = Number.POSITIVE_INFINITY;
    if (nowMs < this.#earliest) return none;
    const due: string[] = [];
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const [address, atMs] of this.#times) {
      if (atMs <= nowMs) due.push(address);
      else this.#earliest = Math.min(this.#earliest, atMs);
    }
    for (const address of due) this.#times.delete(address);
    return due.toSorted();
  }

  /**
   * The next time to be woken at, once; undefined when there is none, or it was asked for before.
   */
  ask(): number | undefined {
    if (this.#earliest >= this.#asked) return undefined;
    this.#asked = this.#earliest;
    return this.#earliest;
  }
}
