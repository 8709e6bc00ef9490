/** Which networks the cluster knows, and the pools of nodes on them, made when first asked for. */
import { type Address, networkOf } from '../../core/address.ts';
import type { Host, Network } from './host.ts';
import { Pool } from './pool.ts';
import type { Use } from './use.ts';

/** More pools than this are rarely asked for again; each costs a look at every node change. */
const KEPT = 512;

const keyOf = ({ kind, text }: Network): string => `${kind} ${text}`;

export class Pools {
  /** Network → the hosts that have it, by kind. */
  readonly #hosts = new Map<string, Set<Host>>();
  /** Prefix lengths in use: family/bits → how many networks. */
  readonly #lengths = new Map<string, number>();
  readonly #pools = new Map<Use, Map<string, Pool>>();
  #count = 0;
  /** Grows when the set of networks changes: what was looked up by address is void. */
  version = 0;

  /** Call before a host's networks or usability change … */
  takeOut(host: Host): void {
    for (const pool of [...host.pools]) pool.remove(host);
    for (const network of host.networks) this.#forget(network, host);
  }

  /** … and after. */
  putBack(host: Host): void {
    for (const network of host.networks) this.#learn(network, host);
    for (const pools of this.#pools.values())
      for (const network of host.networks) {
        const pool = pools.get(keyOf(network));
        if (pool?.admits(host) === true) pool.add(host);
      }
  }

  #learn(network: Network, host: Host): void {
    const known = this.#hosts.get(keyOf(network));
    if (known !== undefined) return void known.add(host);
    this.#hosts.set(keyOf(network), new Set([host]));
    this.#countLength(network, 1);
  }

  #forget(network: Network, host: Host): void {
    const known = this.#hosts.get(keyOf(network));
    known?.delete(host);
    if (known?.size !== 0) return;
    this.#hosts.delete(keyOf(network));
    this.#countLength(network, -1);
  }

  #countLength({ text }: Network, by: number): void {
    const length = `${text.includes(':') ? 6 : 4}/${text.slice(text.indexOf('/') + 1)}`;
    const count = (this.#lengths.get(length) ?? 0) + by;
    if (count === 0) this.#lengths.delete(length);
    else this.#lengths.set(length, count);
    this.version++;
  }

  /** The known networks that contain an address, of both kinds, secondary ones first. */
  networksOf(address: Address): readonly Network[] {
    const found: Network[] = [];
    for (const length of this.#lengths.keys()) {
      if (!length.startsWith(String(address.family))) continue;
      const text = networkOf(address, Number(length.slice(2)));
      for (const kind of ['secondary', 'ovn'] as const)
        if (this.#hosts.has(keyOf({ kind, text }))) found.push({ kind, text });
    }
    return found.sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'secondary' ? -1 : 1));
  }

  pool(use: Use, network: Network): Pool {
    const key = keyOf(network);
    const mine = this.#pools.get(use) ?? new Map<string, Pool>();
    const known = mine.get(key);
    if (known !== undefined) return known;
    const pool = new Pool(use, network, this.#hosts.get(key) ?? []);
    this.#pools.set(use, mine.set(key, pool));
    if (++this.#count > KEPT) this.#dropOldest(use);
    return pool;
  }

  #dropOldest(except: Use): void {
    for (const use of this.#pools.keys()) {
      if (use === except) continue;
      return this.drop(use);
    }
  }

  /** Nobody uses the selector any more. */
  drop(use: Use): void {
    const pools = this.#pools.get(use);
    for (const pool of pools?.values() ?? []) pool.dissolve();
    this.#count -= pools?.size ?? 0;
    this.#pools.delete(use);
  }
}
