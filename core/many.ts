/** Several values under one key. Nearly all keys have one value: that costs no set of its own. */

const none: readonly never[] = [];

export class Many<V extends object> {
  readonly #values = new Map<string, V | Set<V>>();

  add(key: string, value: V): void {
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, value);
    else if (known instanceof Set) known.add(value);
    else if (known !== value) this.#values.set(key, new Set([known, value]));
  }

  delete(key: string, value: V): void {
    const known = this.#values.get(key);
    if (known === value) this.#values.delete(key);
    if (!(known instanceof Set)) return;
    known.delete(value);
    if (known.size === 0) this.#values.delete(key);
  }

  /** Not to be changed while it is walked. */
  of(key: string): Iterable<V> {
    const known = this.#values.get(key);
    if (known === undefined) return none;
    return known instanceof Set ? known : [known];
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }
}
