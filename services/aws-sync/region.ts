/** A region as it was last seen, completely, and what was done in it since. */
import type {
  CloudEndpoint,
  CloudInstance,
  CloudServer,
  CloudSubnet,
  Failure,
  Picture,
} from '../../core/cloud-door.ts';
import { byId, PeerList } from './peer-list.ts';

/** An endpoint that was good for neighbours, and when it was seen so last. */
export interface Served {
  readonly endpoint: CloudEndpoint;
  readonly zone: string;
  /** Of its Route Server. */
  readonly asn: number;
  readonly seenMs: number;
}

export class Region extends PeerList {
  readonly name: string;
  servers = new Map<string, CloudServer>();
  endpoints = new Map<string, CloudEndpoint>();
  subnets = new Map<string, CloudSubnet>();
  instances = new Map<string, CloudInstance>();
  readonly served = new Map<string, Served>();
  /** Why no instance can be read. */
  blind: Failure | undefined;
  /** The instances that the last picture asked for. */
  asked: ReadonlySet<string> = new Set();
  /** When the last complete picture was begun; 0 = none. */
  picturedMs = 0;
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
  /** What the facts on the log were told of. */
  told = '';

  constructor(name: string, lagMs: number) {
    super(lagMs);
    this.name = name;
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
}

/** One that turns failing keeps what it has; only an available one is new. */
const isServing = ({ state, address }: CloudEndpoint, known: boolean): boolean =>
  address !== '' && (state === 'available' || (state === 'failing' && known));
