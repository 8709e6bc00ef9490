/** The state of the emulated AWS: accounts, keys, regions and what happened. */
import type { Choose } from '../every.ts';
import type { Bucket } from './bucket.ts';
import type { Entry } from './entry.ts';
import type { Fault } from './fault.ts';
import type { Manners } from './manners.ts';
import type {
  Endpoint,
  Instance,
  NetworkInterface,
  Peer,
  RouteServer,
  Speaker,
  Subnet,
} from './model.ts';
import type { Shelf } from './shelf.ts';

export interface World {
  readonly manners: Manners;
  readonly accounts: Map<string, Account>;
  /** By access key id. */
  readonly keys: Map<string, Key>;
  readonly regions: Map<string, Region>;
  /** Faults to come; spent ones are taken out. */
  readonly faults: Fault[];
  /** Every call with its answer. */
  readonly log: Entry[];
  readonly watch: Watch;
  /** Whether there has been a call: from then on what a test makes is news to late readers. */
  begun: boolean;
  readonly random: Choose & { next(): number };
}

export interface Account {
  readonly id: string;
  /** Actions that IAM refuses: `ec2:CreateRouteServerPeer`. */
  readonly denied: Set<string>;
  readonly roles: Map<string, Role>;
  /** Audiences of the identity provider, by issuer. */
  readonly providers: Map<string, readonly string[]>;
}

export interface Role {
  readonly name: string;
  /** What its trust policy asks for. */
  readonly issuer: string;
  readonly subjects: readonly string[];
  readonly audiences: readonly string[];
}

export interface Key {
  readonly id: string;
  readonly secret: string;
  /** Of temporary keys only. */
  readonly sessionToken: string;
  readonly account: string;
  readonly arn: string;
  readonly userId: string;
  readonly expiresMs: number;
}

export interface Region {
  readonly account: string;
  readonly name: string;
  /** Without the service: every call answers OptInRequired. */
  disabled: boolean;
  readonly servers: Shelf<RouteServer>;
  readonly endpoints: Shelf<Endpoint>;
  readonly peers: Shelf<Peer>;
  readonly subnets: Shelf<Subnet>;
  readonly instances: Shelf<Instance>;
  readonly interfaces: Shelf<NetworkInterface>;
  /** What will turn by itself. */
  readonly plans: Plan[];
  readonly buckets: Map<string, Bucket>;
  readonly tokens: Map<string, Token>;
  /** By node address. */
  readonly speakers: Map<string, Speaker>;
  /** Peers at these addresses fail instead of becoming available, with this reason. */
  readonly doomed: Map<string, string>;
}

export interface Plan {
  readonly dueMs: number;
  readonly id: string;
  /** It turns only if it still is in this state; '' = in any. */
  readonly from: string;
  /** '' = it leaves the lists. Undefined = its state stays, tags are added. */
  readonly to?: string;
  readonly failureReason?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** A page token: opaque to clients, all its meaning is here. */
export interface Token {
  readonly request: string;
  readonly rest: readonly string[];
  readonly empty: boolean;
  readonly dueMs: number;
}

/** What the invariants remember. */
export interface Watch {
  readonly violations: string[];
  /** The last listing of each reader and kind. */
  readonly listings: Map<string, { complete: boolean; suspects: string[] }>;
  /** `managed-by` values that are the caller's own. */
  readonly ours: Set<string>;
  /** How many mutations of each action are planned; undefined = not known. */
  plan: Map<string, number> | undefined;
  /** Since when nothing changes, and the calls that are then allowed in an hour. */
  rest: { sinceMs: number; perHour: number; calls: number[] } | undefined;
}
