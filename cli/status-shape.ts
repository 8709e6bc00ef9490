/** What `sluice status` reports. */
import type { Probing } from '../core/fact.ts';
import type { HeadroomReport } from './plan-headroom.ts';
import type { BgpReport } from './status-bgp.ts';
import type { RoomReport } from './status-room.ts';

export interface AddressReport {
  readonly address: string;
  /** '' = none. */
  readonly node: string;
  readonly previous: string;
  readonly sinceMs: number | undefined;
  /** `Placed`, `NoAvailableNode (1 not ready)`. */
  readonly state: string;
  /** Half a sentence. */
  readonly reason: string;
  /** Whether the cluster's status says so too. */
  readonly written: boolean;
}

export interface EgressIPReport {
  readonly name: string;
  readonly selector: string;
  /** 0 = none. */
  readonly mark: number;
  readonly addresses: readonly AddressReport[];
}

export interface StatusReport {
  readonly events: number;
  readonly probing: Probing | undefined;
  readonly rooms: readonly RoomReport[];
  readonly egressIPs: readonly EgressIPReport[];
  /** Why the prober doubts itself, or ''. */
  readonly isolated: string;
  /** Undefined while nobody knows the whole cluster. */
  readonly headroom: HeadroomReport | undefined;
  /** Undefined where nobody uses BGP routing. */
  readonly bgp: BgpReport | undefined;
  /** Every address has a node, and BGP routing is Ready. */
  readonly fine: boolean;
}
