/** What there is in a region of the emulated EC2, as values that are replaced and never changed. */

export type Tags = Readonly<Record<string, string>>;

/** What all things have. A region finds them by the prefix of their id: `rsp-0123…`. */
interface Common {
  readonly id: string;
  readonly state: string;
  readonly tags: Tags;
}

export interface RouteServer extends Common {
  readonly vpcId: string;
  readonly asn: number;
  readonly state: 'pending' | 'available' | 'modifying' | 'deleting' | 'deleted';
  readonly persistRoutes: string;
  /** VPCs and route tables: read by us, never made. */
  readonly associated: boolean;
  readonly routeTables: readonly string[];
  readonly routes: readonly Route[];
}

/** A row of the routing database. */
export interface Route {
  readonly prefix: string;
  readonly endpointId: string;
  readonly peerId: string;
  readonly nextHop: string;
  readonly asPath: readonly number[];
  readonly med: number;
  readonly status: 'in-rib' | 'in-fib';
  readonly installation: 'installed' | 'rejected';
  readonly reason?: string;
}

export interface Endpoint extends Common {
  readonly serverId: string;
  readonly vpcId: string;
  readonly subnetId: string;
  readonly state:
    | 'pending'
    | 'available'
    | 'deleting'
    | 'deleted'
    | 'failing'
    | 'failed'
    | 'delete-failed';
  readonly eniId: string;
  /** IPv4; not told while the endpoint is pending. */
  readonly address: string;
  readonly failureReason?: string;
}

export type PeerState = 'pending' | 'available' | 'deleting' | 'deleted' | 'failing' | 'failed';
export type Liveness = 'bfd' | 'bgp-keepalive';
export type Session = 'up' | 'down';

export interface Peer extends Common {
  readonly endpointId: string;
  readonly address: string;
  readonly asn: number;
  readonly liveness: Liveness;
  readonly state: PeerState;
  readonly failureReason?: string;
  /** As a test says; without it the speakers of the region decide. */
  readonly bgp?: Session | undefined;
  readonly bfd?: Session | undefined;
}

export interface Subnet extends Common {
  readonly vpcId: string;
  readonly cidr: string;
  readonly zone: string;
  readonly zoneId: string;
}

export interface Instance extends Common {
  readonly state: 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated';
  readonly vpcId: string;
  readonly subnetId: string;
  readonly zone: string;
  readonly launchedMs: number;
}

export interface NetworkInterface extends Common {
  readonly state: 'in-use' | 'available' | 'attaching' | 'detaching';
  readonly vpcId: string;
  readonly subnetId: string;
  readonly zone: string;
  readonly address: string;
  readonly instanceId: string;
  readonly deviceIndex: number;
  readonly cardIndex: number;
  /** Undefined: a reply without the field, which means "unknown". */
  readonly sourceDestCheck: boolean | undefined;
}

export type Thing = RouteServer | Endpoint | Peer | Subnet | Instance | NetworkInterface;

/** The FRR of a node as the Route Server sees it. */
export interface Speaker {
  readonly asn: number;
  readonly bfd?: boolean;
  /** Addresses of the endpoints that it has as neighbours; without it, all of them. */
  readonly neighbors?: readonly string[];
}
