/** What was seen in AWS by aws-sync, as far as other rooms hear it or its own memory needs it. */
import type { Neighbor } from './bgp-fact.ts';

/** Nodes that share their neighbours: a zone, or one subnet of a zone that has several. */
export interface NeighborGroup {
  /** The zone, or `zone/subnet` where the zone has endpoints in several subnets. Stable. */
  readonly key: string;
  readonly zone: string;
  /** The nodes by host name; empty = the nodes of the zone, by its label. */
  readonly nodes: readonly string[];
  readonly neighbors: readonly Neighbor[];
  /**
   * The ASN that the peers of this zone expect now; in a staged change zones differ for a while.
   */
  readonly localASN: number;
  /** bfd or bgp-keepalive, as the peers of this zone have it now. */
  readonly livenessDetection: string;
}

/** A Route Server endpoint. */
export interface SeenEndpoint {
  readonly id: string;
  /** pending, available, deleting, deleted, failing, failed or delete-failed. */
  readonly state: string;
  readonly subnet: string;
  /** The zone of its subnet; '' = not known. */
  readonly zone: string;
  /** '' while it is pending. */
  readonly address: string;
  /** Why it fails, in the words of AWS; ''. */
  readonly because: string;
}

export interface SeenRouteServer {
  readonly id: string;
  /** pending, available, modifying, deleting or deleted. */
  readonly state: string;
  readonly asn: number;
  /** Routes to dead nodes would stay in the route tables. */
  readonly persistRoutes: boolean;
  readonly endpoints: readonly SeenEndpoint[];
}

/** A peer that is there: what is `deleted` is absent, however long AWS lists it. */
export interface SeenPeer {
  readonly id: string;
  readonly address: string;
  readonly asn: number;
  /** bfd or bgp-keepalive. */
  readonly liveness: string;
  /** pending, available, deleting, failing or failed. */
  readonly state: string;
  /** up, down or ''. */
  readonly bgp: string;
  readonly bfd: string;
  /** Whose it is by its tags; '' = nobody's. */
  readonly owner: string;
  /** It is Sluice's: by its tag, or because it made it. */
  readonly ours: boolean;
  /** The node that it was made or kept for; '' = none. */
  readonly node: string;
  readonly because: string;
}

export type AwsFact =
  /** The neighbours that AWS offers to the CUDNBgpConfig with this uid; a complete picture. */
  | {
      readonly kind: 'NeighborsSeen';
      readonly uid: string;
      readonly groups: readonly NeighborGroup[];
    }
  /** The Route Servers of a region that are configured, or still hold something of ours. */
  | {
      readonly kind: 'RouteServersSeen';
      readonly region: string;
      readonly servers: readonly SeenRouteServer[];
    }
  /** The recorded inventory: all peers on one endpoint, after a complete listing. */
  | {
      readonly kind: 'PeersSeen';
      readonly region: string;
      readonly server: string;
      readonly endpoint: string;
      readonly peers: readonly SeenPeer[];
    }
  /** The primary network interface of a node's instance. */
  | {
      readonly kind: 'InterfaceSeen';
      readonly node: string;
      readonly uid: string;
      readonly region: string;
      readonly instance: string;
      /** The instance's: running, stopped, terminated, …. */
      readonly state: string;
      /** Its id; '' = it has none. */
      readonly interface: string;
      readonly subnet: string;
      readonly address: string;
      /** on, off, or '' = the answer did not say. */
      readonly sourceDestCheck: string;
    }
  | { readonly kind: 'InterfaceGone'; readonly node: string; readonly uid: string };
