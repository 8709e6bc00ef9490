/** The usable nodes for one selector on one network, least loaded first. */
import type { Host, Network } from './host.ts';
import type { Use } from './use.ts';

export class Pool {
  readonly use: Use;
  readonly network: Network;
  /** Sorted by load, then name. */
  readonly hosts: Host[];

  constructor(use: Use, network: Network, hosts: Iterable<Host>) {
    this.use = use;
    this.network = network;
    this.hosts = [...hosts].filter((host) => this.suits(host)).sort(byLoadThenName);
    for (const host of this.hosts) host.pools.add(this);
  }

  /** Whether a host of the network belongs here. */
  suits(host: Host): boolean {
    return host.usable && this.use.selector.matches(host.labels);
  }

  add(host: Host): void {
    this.put(host);
    host.pools.add(this);
  }

  remove(host: Host): void {
    this.lift(host);
    host.pools.delete(this);
  }

  /** Takes a host out of the order while its load changes; to be called before that. */
  lift(host: Host): void {
    const rank = this.#rankOf(host);
    if (this.hosts[rank] === host) this.hosts.splice(rank, 1);
  }

  put(host: Host): void {
    this.hosts.splice(this.#rankOf(host), 0, host);
  }

  /** Forgets itself in its hosts. */
  dissolve(): void {
    for (const host of this.hosts) host.pools.delete(this);
  }

  #rankOf(host: Host): number {
    let low = 0;
    let high = this.hosts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.hosts[middle];
      if (other !== undefined && byLoadThenName(other, host) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function byLoadThenName(a: Host, b: Host): number {
  return a.load - b.load || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
