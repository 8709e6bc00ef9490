/** The peers of a region as they were listed last, and what was done to them since. */
import type { CloudPeer } from '../../core/cloud-door.ts';

/** A peer as we left it; a listing may be late. */
interface Fresh {
  readonly peer: CloudPeer;
  readonly atMs: number;
}

interface Index {
  readonly endpoints: ReadonlyMap<string, readonly CloudPeer[]>;
  readonly places: ReadonlyMap<string, readonly CloudPeer[]>;
}

const none: readonly CloudPeer[] = [];

/** How far a peer is on its way: what is known further is not believed back. */
const ranks: Readonly<Record<string, number>> = { pending: 0, deleting: 2, deleted: 3 };
const rank = (state: string): number => ranks[state] ?? 1;

export class PeerList {
  /** What is not `deleted`. */
  peers: Map<string, CloudPeer> = new Map();
  /** When the last complete list of peers was begun; 0 = none. */
  listedMs = 0;
  /** Counts the changes of what is known. */
  revision = 0;
  /** Since when a peer is wanted by nobody. */
  readonly unwantedMs = new Map<string, number>();
  readonly #fresh = new Map<string, Fresh>();
  /** When the last listing began that showed a peer. */
  readonly #seenMs = new Map<string, number>();
  /** Made when it is asked for. */
  #places: Index | undefined;
  readonly #lagMs: number;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /**
   * A complete list of peers; `deleted` ones are absent, however long they are listed. Readers lag:
   * what was seen a moment ago and is not listed now is believed to be there for a while.
   */
  list(listed: readonly CloudPeer[], startedMs: number): void {
    const all = byId(listed);
    for (const id of all.keys()) this.#seenMs.set(id, startedMs);
    for (const [id, { peer, atMs }] of this.#fresh) {
      if (startedMs >= atMs + this.#lagMs) this.#fresh.delete(id);
      else all.set(id, newer(peer, all.get(id)));
    }
    for (const [id, peer] of this.peers) {
      if (all.has(id)) continue;
      const seenMs = this.#seenMs.get(id) ?? startedMs;
      this.#seenMs.set(id, seenMs);
      if (startedMs < seenMs + this.#lagMs) all.set(id, peer);
    }
    for (const [id, { state }] of all) if (state === 'deleted') all.delete(id);
    for (const id of this.#seenMs.keys()) if (!all.has(id)) this.#seenMs.delete(id);
    for (const id of this.unwantedMs.keys()) if (!all.has(id)) this.unwantedMs.delete(id);
    this.peers = all;
    this.listedMs = startedMs;
    this.#moved();
  }

  /** As the log tells it after a restart. */
  recallPeer(peer: CloudPeer): void {
    if (this.listedMs > 0 || this.#fresh.has(peer.id)) return;
    this.peers.set(peer.id, peer);
    this.#moved();
  }

  /** We know better than the next listing: we have just done it. */
  changed(peer: CloudPeer, atMs: number): void {
    this.#fresh.set(peer.id, { peer, atMs });
    this.peers.set(peer.id, newer(peer, this.peers.get(peer.id)));
    this.#moved();
  }

  /** The peers on an endpoint that AWS counts. */
  on(endpoint: string): readonly CloudPeer[] {
    return this.#index().endpoints.get(endpoint) ?? none;
  }

  /** Those at `endpoint:address`. */
  at(place: string): readonly CloudPeer[] {
    return this.#index().places.get(place) ?? none;
  }

  #moved(): void {
    this.#places = undefined;
    this.revision++;
  }

  #index(): Index {
    this.#places ??= {
      endpoints: Map.groupBy(this.peers.values(), ({ endpoint }) => endpoint),
      places: Map.groupBy(this.peers.values(), (peer) => `${peer.endpoint}:${peer.address}`),
    };
    return this.#places;
  }
}

function newer(known: CloudPeer, listed: CloudPeer | undefined): CloudPeer {
  if (listed === undefined || rank(listed.state) < rank(known.state)) return known;
  return listed.owner === '' ? { ...listed, owner: known.owner } : listed;
}

export const byId = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]));
