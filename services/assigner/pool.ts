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
    this.hosts.splice(this.#placeOf(host.load, host.rank), 0, host);
    host.pools.add(this);
  }

  /** Takes a host out of the order; the caller takes the pool out of the host's. */
  lift(host: Host): void {
    const at = this.#placeOf(host.load, host.rank);
    if (this.hosts[at] === host) this.hosts.splice(at, 1);
  }

  /** The host's load was `before` and is another now: only those in between move. */
  reload(host: Host, before: number): void {
    const { hosts } = this;
    const from = this.#placeOf(before, host.rank, host, before);
    if (hosts[from] !== host) return;
    const to = this.#placeOf(host.load, host.rank, host, before);
    if (to > from) {
      for (let at = from; at < to - 1; at++) hosts[at] = hosts[at + 1] ?? host;
      hosts[to - 1] = host;
    } else {
      for (let at = from; at > to; at--) hosts[at] = hosts[at - 1] ?? host;
      hosts[to] = host;
    }
  }

  /** Forgets itself in its hosts. */
  dissolve(): void {
    for (const host of this.hosts) host.pools.delete(this);
  }

  /** Where such a host stands, or would; `self` counts with the load that it stands there with. */
  #placeOf(load: number, rank: number, self?: Host, selfLoad = 0): number {
    let low = 0;
    let high = this.hosts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.hosts[middle];
      if (other === undefined) break;
      const difference = (other === self ? selfLoad : other.load) - load || other.rank - rank;
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function byLoadThenName(a: Host, b: Host): number {
  return a.load - b.load || a.rank - b.rank;
}
