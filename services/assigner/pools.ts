/** Which networks the cluster knows, and the pools of nodes on them, made when first asked for. */
import { type Address, networkKey, parseCidr } from '../../core/address.ts';
import { must } from '../../core/assert.ts';
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

/** A prefix length of a family, and the known networks that have it, by `networkKey`. */
interface Length {
  readonly family: 4 | 6;
  readonly bits: number;
  readonly secondary: Map<number | string, Network>;
  readonly ovn: Map<number | string, Network>;
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
      this.#unlist(known.network);
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
    const { length, key } = this.#lengthOf(network);
    length[network.kind].set(key, network);
    return known;
  }

  #unlist(network: Network): void {
    const { length, key } = this.#lengthOf(network);
    length[network.kind].delete(key);
    if (length.secondary.size + length.ovn.size > 0) return;
    this.#lengths.splice(this.#lengths.indexOf(length), 1);
  }

  /** Where a network is listed, or is to be. */
  #lengthOf({ text }: Network): { readonly length: Length; readonly key: number | string } {
    const { address, bits } = must(parseCidr(text), `the network ${text}`);
    const { family } = address;
    let length = this.#lengths.find((one) => one.family === family && one.bits === bits);
    if (length === undefined) {
      length = { family, bits, secondary: new Map(), ovn: new Map() };
      this.#lengths.push(length);
    }
    return { length, key: networkKey(address, bits) };
  }

  /** The known networks that contain an address, secondary host networks first. */
  networksOf(address: Address): readonly Network[] {
    const found: Network[] = [];
    for (const { family, bits, secondary, ovn } of this.#lengths) {
      if (family !== address.family) continue;
      const key = networkKey(address, bits);
      const near = secondary.get(key);
      if (near !== undefined) found.unshift(near);
      const far = ovn.get(key);
      if (far !== undefined) found.push(far);
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
