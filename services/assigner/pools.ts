/** Which networks the cluster knows, and the pools of nodes on them, made when first asked for. */
import { type Address, networkOf } from '../../core/address.ts';
import type { Host, Network } from './host.ts';
import { Pool } from './pool.ts';
import type { Use } from './use.ts';

/** More pools than this are rarely asked for again; each costs a look at every node change. */
const KEPT = 512;

/** A network with the hosts that have it. */
interface Known {
  readonly network: Network;
  readonly hosts: Set<Host>;
}

/** A prefix length of a family, and how many known networks have it. */
interface Length {
  readonly family: 4 | 6;
  readonly bits: number;
  count: number;
}

export class Pools {
  readonly #known = { secondary: new Map<string, Known>(), ovn: new Map<string, Known>() };
  readonly #lengths: Length[] = [];
  readonly #pools = new Map<Use, Map<Network, Pool>>();
  #count = 0;
  /** How many pools were ever made: what was done can be told from it. */
  made = 0;

  /** Call before a host's networks or usability change … */
  takeOut(host: Host): void {
    for (const pool of host.pools) pool.lift(host);
    host.pools.clear();
    for (const { kind, text } of host.networks) {
      const known = this.#known[kind].get(text);
      known?.hosts.delete(host);
      if (known?.hosts.size !== 0) continue;
      this.#known[kind].delete(text);
      this.#countLength(text, -1);
    }
  }

  /** … and after. */
  putBack(host: Host): void {
    for (const network of host.networks) {
      const { kind, text } = network;
      const known = this.#known[kind].get(text) ?? this.#learn(network);
      known.hosts.add(host);
      for (const pools of this.#pools.values()) {
        const pool = pools.get(known.network);
        if (pool?.suits(host) === true) pool.add(host);
      }
    }
  }

  #learn(network: Network): Known {
    const known = { network, hosts: new Set<Host>() };
    this.#known[network.kind].set(network.text, known);
    this.#countLength(network.text, 1);
    return known;
  }

  #countLength(text: string, by: 1 | -1): void {
    const family = text.includes(':') ? 6 : 4;
    const bits = Number(text.slice(text.indexOf('/') + 1));
    const length = this.#lengths.find((one) => one.family === family && one.bits === bits);
    if (length === undefined) this.#lengths.push({ family, bits, count: 1 });
    else length.count += by;
    if (length?.count === 0) this.#lengths.splice(this.#lengths.indexOf(length), 1);
  }

  /** The known networks that contain an address, secondary host networks first. */
  networksOf(address: Address): readonly Network[] {
    const found: Network[] = [];
    const { secondary, ovn } = this.#known;
    for (const { family, bits } of this.#lengths) {
      if (family !== address.family) continue;
      const text = networkOf(address, bits);
      const near = secondary.get(text);
      if (near !== undefined) found.unshift(near.network);
      const far = ovn.get(text);
      if (far !== undefined) found.push(far.network);
    }
    return found;
  }

  /** `network` as `networksOf` gave it. */
  pool(use: Use, network: Network): Pool {
    const mine = this.#pools.get(use) ?? new Map<Network, Pool>();
    const made = mine.get(network);
    if (made !== undefined) return made;
    const known = this.#known[network.kind].get(network.text);
    const pool = new Pool(use, network, known?.hosts ?? []);
    this.#pools.set(use, mine.set(network, pool));
    this.made++;
    if (++this.#count > KEPT) this.#dropOldest(use);
    return pool;
  }

  #dropOldest(except: Use): void {
    for (const use of this.#pools.keys()) {
      if (use === except) continue;
      return this.drop(use);
    }
  }

  /** Nobody uses the selector any more, or its nodes are to be looked at anew. */
  drop(use: Use): void {
    const pools = this.#pools.get(use);
    for (const pool of pools?.values() ?? []) pool.dissolve();
    this.#count -= pools?.size ?? 0;
    this.#pools.delete(use);
  }
}
