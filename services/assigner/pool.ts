/** The usable nodes for one selector on one network, least loaded first. */
import type { Host, Network } from './host.ts';
import type { Use } from './use.ts';

export class Pool {
  readonly use: Use;
  readonly network: Network;
  /** Sorted by load, then name. */
  readonly #hosts: Host[];

  constructor(use: Use, network: Network, hosts: Iterable<Host>) {
    this.use = use;
    this.network = network;
    this.#hosts = [...hosts].filter((host) => this.admits(host)).sort(byLoadThenName);
    for (const host of this.#hosts) host.pools.add(this);
  }

  admits(host: Host): boolean {
    const { kind, text } = this.network;
    return (
      host.usable &&
      this.use.selector.matches(host.labels) &&
      host.networks.some((network) => network.kind === kind && network.text === text)
    );
  }

  [Symbol.iterator](): Iterator<Host> {
    return this.#hosts[Symbol.iterator]();
  }

  get size(): number {
    return this.#hosts.length;
  }

  add(host: Host): void {
    this.#hosts.splice(this.#rankOf(host), 0, host);
    host.pools.add(this);
  }

  /** To be called while the host's load is still the one it was added with. */
  remove(host: Host): void {
    const rank = this.#rankOf(host);
    if (this.#hosts[rank] === host) this.#hosts.splice(rank, 1);
    host.pools.delete(this);
  }

  /** Forgets itself in its hosts. */
  dissolve(): void {
    for (const host of this.#hosts) host.pools.delete(this);
  }

  #rankOf(host: Host): number {
    let low = 0;
    let high = this.#hosts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#hosts[middle];
      if (other !== undefined && byLoadThenName(other, host) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function byLoadThenName(a: Host, b: Host): number {
  return a.load - b.load || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Changes a host's load through `change` without losing its place in any pool. */
export function reload(host: Host, change: () => void): void {
  const pools = [...host.pools];
  for (const pool of pools) pool.remove(host);
  change();
  for (const pool of pools) pool.add(host);
}
