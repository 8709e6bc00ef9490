/** Things of one kind with what they were before: a reader may be shown an older state. */
import type { Thing } from './model.ts';

interface Version<T> {
  readonly fromMs: number;
  /** Undefined: it is not there any more. */
  readonly value: T | undefined;
}

/** Older versions than this many are forgotten; no reader lags that far behind. */
const KEPT = 32;

export class Shelf<T extends Thing> {
  readonly #versions = new Map<string, Version<T>[]>();

  /** `fromMs` = since when readers without lag see it; -Infinity for what was there before. */
  put(value: T, fromMs: number): T {
    this.#add(value.id, { fromMs, value });
    return value;
  }

  remove(id: string, fromMs: number): void {
    this.#add(id, { fromMs, value: undefined });
  }

  #add(id: string, version: Version<T>): void {
    const known = this.#versions.get(id);
    if (known === undefined) this.#versions.set(id, [version]);
    else if (known.push(version) > KEPT) known.shift();
  }

  /** As it is. */
  get(id: string): T | undefined {
    return this.#versions.get(id)?.at(-1)?.value;
  }

  /** As it was at that time. */
  at(id: string, asOfMs: number): T | undefined {
    return this.#versions.get(id)?.findLast(({ fromMs }) => fromMs <= asOfMs)?.value;
  }

  all(): T[] {
    return this.allAt(Infinity);
  }

  allAt(asOfMs: number): T[] {
    const seen = [...this.#versions.keys()].map((id) => this.at(id, asOfMs));
    return seen.filter((value) => value !== undefined);
  }
}
