/** A binary heap: the least element first. */
export class Heap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(this.#items[at] as T, this.#items[parent] as T)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length === 0 || last === undefined) return top;
    this.#items[0] = last;
    for (let at = 0; ; ) {
      const least = this.#leastOf(at);
      if (least === at) return top;
      this.#swap(at, least);
      at = least;
    }
  }

  #leastOf(at: number): number {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child >= this.#items.length) break;
      if (this.#before(this.#items[child] as T, this.#items[least] as T)) least = child;
    }
    return least;
  }

  #swap(a: number, b: number): void {
    const item = this.#items[a] as T;
    this.#items[a] = this.#items[b] as T;
    this.#items[b] = item;
  }
}
