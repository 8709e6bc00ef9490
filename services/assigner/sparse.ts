/** Maps and sets that are empty nearly always, in tens of thousands: empty they cost nothing. */

/** Stands for every empty map; nobody writes to it. */
const noEntries = new Map<string, never>();
const noTexts = new Set<string>();

/** A map by text without a table of its own for as long as it is empty. */
export class SparseMap<V> {
  #entries: Map<string, V> = noEntries;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  set(key: string, value: V): void {
    if (this.#entries === noEntries) this.#entries = new Map();
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    if (this.#entries.delete(key) && this.#entries.size === 0) this.#entries = noEntries;
  }

  clear(): void {
    this.#entries = noEntries;
  }

  keys(): MapIterator<string> {
    return this.#entries.keys();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.#entries.entries();
  }
}

/** A set of texts, likewise. */
export class SparseSet {
  #texts = noTexts;

  get size(): number {
    return this.#texts.size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    if (this.#texts === noTexts) this.#texts = new Set();
    this.#texts.add(text);
  }

  delete(text: string): void {
    if (this.#texts.delete(text) && this.#texts.size === 0) this.#texts = noTexts;
  }

  clear(): void {
    this.#texts = noTexts;
  }

  [Symbol.iterator](): SetIterator<string> {
    return this.#texts.values();
  }
}
