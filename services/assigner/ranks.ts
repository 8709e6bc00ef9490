/** Numbers in the order of names, so that ties are broken by name without comparing texts. */

interface Ranked {
  readonly name: string;
  rank: number;
}

/** Between two ranks that are closer than this there is no room: all are numbered anew. */
const CLOSEST = 1e-6;

export class Ranks<T extends Ranked> {
  /** By name. */
  readonly #all: T[] = [];

  /** Gives a newcomer a rank between its neighbours'; the order of the others stays. */
  add(one: T): void {
    const at = this.#placeOf(one.name);
    const before = this.#all[at - 1]?.rank ?? 0;
    const after = this.#all[at]?.rank ?? before + 2;
    this.#all.splice(at, 0, one);
    one.rank = (before + after) / 2;
    if (after - before < CLOSEST)
      for (const [index, other] of this.#all.entries()) other.rank = index + 1;
  }

  remove(one: T): void {
    const at = this.#placeOf(one.name);
    if (this.#all[at] === one) this.#all.splice(at, 1);
  }

  #placeOf(name: string): number {
    let low = 0;
    let high = this.#all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#all[middle]?.name ?? '') < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
