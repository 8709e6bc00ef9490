/** The usable nodes for one selector on one network, least loaded first. */
import type { Host, Network } from './host.ts';
import type { Use } from './use.ts';

export class Pool {
  readonly use: Use;
  readonly network: Network;
  /**
   * By load; within a row by rank, that is by name. A host that gets an address goes one row up.
   */
  readonly #rows: Host[][] = [];
  /** The first row that is not empty, or one before it. */
  #lowest = 0;
  size = 0;

  constructor(use: Use, network: Network, hosts: Iterable<Host>) {
    this.use = use;
    this.network = network;
    const sorted = [...hosts].filter((host) => this.suits(host)).sort(byLoadThenName);
    for (const host of sorted) this.add(host);
  }

  /** Whether a host of the network belongs here. */
  suits(host: Host): boolean {
    return host.usable && this.use.selector.matches(host.labels);
  }

  /** Visits the hosts, best first, for as long as `visit` wants more. */
  walk(visit: (host: Host) => boolean): void {
    while (this.#lowest < this.#rows.length && this.#rows[this.#lowest]?.length === 0)
      this.#lowest++;
    for (let load = this.#lowest; load < this.#rows.length; load++)
      for (const host of this.#rows[load] ?? []) if (!visit(host)) return;
  }

  /** All of them, best first. */
  all(): readonly Host[] {
    return this.#rows.flat();
  }

  add(host: Host): void {
    this.#put(host, host.load);
    host.pools.add(this);
  }

  /** Takes a host out of the order; the caller takes the pool out of the host's. */
  lift(host: Host): void {
    this.#take(host, host.load);
  }

  /** The host's load was `before` and is another now. */
  reload(host: Host, before: number): void {
    if (this.#take(host, before)) this.#put(host, host.load);
  }

  /** Forgets itself in its hosts. */
  dissolve(): void {
    for (const host of this.all()) host.pools.delete(this);
  }

  #put(host: Host, load: number): void {
    while (this.#rows.length <= load) this.#rows.push([]);
    const row = this.#rows[load] ?? [];
    const last = row.at(-1);
    if (last === undefined || last.rank < host.rank) row.push(host);
    else row.splice(placeOf(row, host.rank), 0, host);
    this.#lowest = Math.min(this.#lowest, load);
    this.size++;
  }

  #take(host: Host, load: number): boolean {
    const row = this.#rows[load] ?? [];
    const at = row[0] === host ? 0 : placeOf(row, host.rank);
    if (row[at] !== host) return false;
    // Whoever is first is taken most, and that is cheap.
    if (at === 0) row.shift();
    else row.splice(at, 1);
    this.size--;
    return true;
  }
}

/** Where a host of that rank stands in its row, or would. */
function placeOf(row: readonly Host[], rank: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((row[middle]?.rank ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function byLoadThenName(a: Host, b: Host): number {
  return a.load - b.load || a.rank - b.rank;
}
