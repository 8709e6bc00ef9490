/** When a replica that stands by may take the lease, by what it has seen of it. */
import type { Held } from './lease-store.ts';

/** A lease that was not renewed for so long may be taken by another. */
export const LIFE_MS = 3_000;
/** Who has not seen the lease for so long begins anew to wait for its end: its holder may live. */
const BLIND_MS = 1_000;

export class Patience {
  readonly #instance: string;
  #seen: { readonly revision: number; readonly sinceMs: number; readonly lastMs: number };
  #first = true;
  #tried = '';
  #alive = '';

  /** `instance` '' = there was nobody before in this place. */
  constructor(instance: string) {
    this.#instance = instance;
    this.#seen = { revision: 0, sinceMs: Infinity, lastMs: -Infinity };
  }

  /** Who leads, once the lease was seen to be renewed; else ''. */
  get alive(): string {
    return this.#alive;
  }

  /** Remembers an attempt to take it: it may land though no answer comes. */
  tries(term: string): void {
    this.#tried = term;
  }

  /** `nowMs` = when the answer was there, by a clock that is never set. */
  isFree({ revision, holder, instance, term }: Held, nowMs: number): boolean {
    const { revision: before, sinceMs, lastMs } = this.#seen;
    const first = this.#first;
    this.#first = false;
    const same = revision === before && nowMs - lastMs < BLIND_MS;
    this.#seen = { revision, sinceMs: same ? sinceMs : nowMs, lastMs: nowMs };
    if (nowMs - this.#seen.sinceMs >= LIFE_MS) {
      this.#alive = '';
      return true;
    }
    if (!first && revision > before) this.#alive = holder;
    if (term !== '' && term === this.#tried) return true;
    // A lease that vanished says nothing about its holder.
    if (holder === '') return revision > 0 || first;
    return first && instance !== '' && instance === this.#instance;
  }
}
