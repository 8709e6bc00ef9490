/**
 * Times at which something is to be thought over again; the shell wakes the room for the earliest.
 */

export class Alarms {
  /** Address → when. One alarm per address: the earliest. */
  readonly #times = new Map<string, number>();
  /** The time that the shell was last asked to wake the room for. */
  #asked = Number.POSITIVE_INFINITY;

  set(atMs: number, address: string): void {
    this.#times.set(address, Math.min(atMs, this.#times.get(address) ?? atMs));
  }

  /** The addresses whose time has come. */
  due(nowMs: number): readonly string[] {
    const due = [...this.#times].filter(([, atMs]) => atMs <= nowMs).map(([address]) => address);
    for (const address of due) this.#times.delete(address);
    if (this.#asked <= nowMs) this.#asked = Number.POSITIVE_INFINITY;
    return due.toSorted();
  }

  /**
   * The next time to be woken at, once; undefined when there is none, or it was asked for before.
   */
  ask(): number | undefined {
    const next = Math.min(...this.#times.values());
    if (next >= this.#asked) return undefined;
    this.#asked = next;
    return next;
  }
}
