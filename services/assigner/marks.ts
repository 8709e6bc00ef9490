/**
 * Which EgressIP has which packet mark (`spec/egressip.md` 7): the next free one after the last
 * given.
 */

export const FIRST_MARK = 50_000;
/** Marks handed out end here; 55000 is valid where it is found. */
export const LAST_GIVEN = 54_999;
export const LAST_VALID = 55_000;

/** The mark in an annotation's text, or undefined where it is none. */
export function readMark(text: string): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const mark = Number(text);
  return mark >= FIRST_MARK && mark <= LAST_VALID ? mark : undefined;
}

export class Marks {
  readonly #owners = new Map<number, string>();
  readonly #marks = new Map<string, number>();
  /** How many of the marks that may be given are taken. */
  #taken = 0;
  #last = FIRST_MARK - 1;
  /** How many were ever handed out; the highest one tells where the round stands. */
  #serial = 0;

  markOf(name: string): number | undefined {
    return this.#marks.get(name);
  }

  /** Takes a mark that was found. False when another object has it, or this one has another. */
  reserve(name: string, mark: number): boolean {
    const owner = this.#owners.get(mark);
    const own = this.#marks.get(name);
    if ((owner !== undefined && owner !== name) || (own !== undefined && own !== mark))
      return false;
    if (owner === undefined && mark <= LAST_GIVEN) this.#taken++;
    this.#owners.set(mark, name);
    this.#marks.set(name, mark);
    return true;
  }

  /** Remembers from the log that `mark` was the `serial`-th to be handed out. */
  remember(mark: number, serial: number): void {
    if (serial <= this.#serial) return;
    this.#serial = serial;
    this.#last = mark;
  }

  /** The next free mark; undefined when all 5,000 are taken. */
  give(name: string): { readonly mark: number; readonly serial: number } | undefined {
    const size = LAST_GIVEN - FIRST_MARK + 1;
    if (this.#taken === size) return undefined;
    for (let step = 1; step <= size; step++) {
      const mark = FIRST_MARK + ((this.#last - FIRST_MARK + step) % size);
      if (this.#owners.has(mark)) continue;
      this.reserve(name, mark);
      this.remember(mark, this.#serial + 1);
      return { mark, serial: this.#serial };
    }
    return undefined;
  }

  release(name: string): void {
    const mark = this.#marks.get(name);
    if (mark === undefined) return;
    this.#marks.delete(name);
    this.#owners.delete(mark);
    if (mark <= LAST_GIVEN) this.#taken--;
  }
}
