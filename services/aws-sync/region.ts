/** A region as it was last seen, completely, and what was done in it since. */
import type {
  CloudEndpoint,
  CloudInstance,
  CloudPeer,
  CloudServer,
  CloudSubnet,
  Failure,
  Picture,
} from '../../core/cloud-door.ts';

/** A peer as we left it; a listing may be late. */
interface Fresh {
  readonly peer: CloudPeer;
  readonly atMs: number;
}

/** An endpoint that was good for neighbours, and when it was seen so last. */
export interface Served {
  readonly endpoint: CloudEndpoint;
  readonly zone: string;
  /** Of its Route Server. */
  readonly asn: number;
  readonly seenMs: number;
}

interface Index {
  readonly endpoints: ReadonlyMap<string, readonly CloudPeer[]>;
  readonly places: ReadonlyMap<string, readonly CloudPeer[]>;
}

const none: readonly CloudPeer[] = [];

/** How far a peer is on its way: what is known further is not believed back. */
const ranks: Readonly<Record<string, number>> = { pending: 0, deleting: 2, deleted: 3 };
const rank = (state: string): number => ranks[state] ?? 1;

export class Region {
  readonly name: string;
  servers = new Map<string, CloudServer>();
  endpoints = new Map<string, CloudEndpoint>();
  subnets = new Map<string, CloudSubnet>();
  instances = new Map<string, CloudInstance>();
  /** What is not `deleted`. */
  peers: Map<string, CloudPeer> = new Map();
  readonly served = new Map<string, Served>();
  /** Why no instance can be read. */
  blind: Failure | undefined;
  /** The instances that the last picture asked for. */
  asked: ReadonlySet<string> = new Set();
  /** When the last complete picture, and the last complete list of peers, was begun; 0 = none. */
  picturedMs = 0;
  listedMs = 0;
  /** When it was looked at first, in this life. */
  firstMs = 0;
  /** When the last look ended, whatever came of it. */
  lookedMs = 0;
  looking = false;
  /** The credentials were good when they were asked for last. */
  identified = false;
  failure: Failure | undefined;
  failures = 0;
  /** The generation of the config that was looked for last. */
  generation = 0;
  /** Counts the changes of what is known of it. */
  revision = 0;
  /** What the facts on the log were told of. */
  told = '';
  /** Since when a peer is wanted by nobody. */
  readonly unwantedMs = new Map<string, number>();
  readonly #fresh = new Map<string, Fresh>();
  /** When the last listing began that showed a peer. */
  readonly #seenMs = new Map<string, number>();
  /** Made when it is asked for. */
  #places: Index | undefined;
  readonly #lagMs: number;

  constructor(name: string, lagMs: number) {
    this.name = name;
    this.#lagMs = lagMs;
  }

  /** Whether what is known of it is complete and not in doubt. */
  get trusted(): boolean {
    return this.picturedMs > 0 && this.failure === undefined;
  }

  learn(picture: Picture, asked: readonly string[], startedMs: number): void {
    const { servers, endpoints, subnets, instances, peers, blind } = picture;
    this.servers = byId(servers.filter(({ state }) => state !== 'deleted'));
    this.endpoints = byId(endpoints);
    this.subnets = byId(subnets);
    this.instances = byId(instances);
    this.blind = blind;
    this.asked = new Set(asked);
    this.picturedMs = startedMs;
    this.#remember(startedMs);
    this.list(peers, startedMs);
  }

  #remember(seenMs: number): void {
    for (const endpoint of this.endpoints.values()) {
      const zone = this.subnets.get(endpoint.subnet)?.zone ?? '';
      const known = this.served.has(endpoint.id);
      const asn = this.servers.get(endpoint.server)?.asn ?? 0;
      if (isServing(endpoint, known) && zone !== '' && this.isUsable(endpoint.server))
        this.served.set(endpoint.id, { endpoint, zone, asn, seenMs });
    }
  }

  /** As the log tells it after a restart: it counts until a picture tells otherwise. */
  recall(served: Served): void {
    if (!this.served.has(served.endpoint.id)) this.served.set(served.endpoint.id, served);
  }

  /** A check that we have just turned. */
  turned(instance: string, eni: string, sourceDestCheck: string): void {
    const known = this.instances.get(instance);
    if (known?.interface !== eni) return;
    this.instances.set(instance, { ...known, sourceDestCheck });
    this.revision++;
  }

  isUsable(server: string): boolean {
    const state = this.servers.get(server)?.state;
    return state === 'available' || state === 'modifying';
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

/** One that turns failing keeps what it has; only an available one is new. */
const isServing = ({ state, address }: CloudEndpoint, known: boolean): boolean =>
  address !== '' && (state === 'available' || (state === 'failing' && known));

function newer(known: CloudPeer, listed: CloudPeer | undefined): CloudPeer {
  if (listed === undefined || rank(listed.state) < rank(known.state)) return known;
  return listed.owner === '' ? { ...listed, owner: known.owner } : listed;
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]));
