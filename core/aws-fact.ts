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

export type AwsFact =
  /** The neighbours that AWS offers to the CUDNBgpConfig with this uid; a complete picture. */
  {
    readonly kind: 'NeighborsSeen';
    readonly uid: string;
    readonly groups: readonly NeighborGroup[];
  };
