/**
 * What was concluded about BGP routing: what each object is to be, and how each resource stands.
 */
import type { Labels } from './labels.ts';
import type { ManagedKind } from './managed.ts';
import type { Notice } from './notice.ts';

export type Phase = 'Pending' | 'Configuring' | 'Ready' | 'Degraded';

/** A condition as it is wanted: the text is stable, without ids of requests and times. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Something that is waited for, and since when: a restart must not begin to count anew. */
export interface Wait {
  /** A type of condition, or `zone/us-east-1a`. */
  readonly on: string;
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
}

/** The two custom resources: `cudnbgpconfig/cluster`, `cudnbgprouting/prod`. */
export type Resource = 'cudnbgpconfig' | 'cudnbgprouting';

export type BgpDecision =
  /** How a CUDNBgpConfig stands as far as facts tell; the publisher adds what its writes tell. */
  | {
      readonly kind: 'BgpConfigDecided';
      readonly name: string;
      readonly uid: string;
      readonly generation: number;
      readonly phase: Phase;
      readonly conditions: readonly Condition[];
      /** Our finalizer is to be on the object. */
      readonly finalizer: boolean;
      /** It was Ready once: later trouble holds up no routing. */
      readonly wasReady: boolean;
      /** Since when its phase is what it is, in milliseconds since 1970. */
      readonly sinceMs: number;
      readonly notices: readonly Notice[];
      /** What bgp itself remembers; of no interest to others. */
      readonly waits?: readonly Wait[] | undefined;
    }
  | {
      readonly kind: 'BgpRoutingDecided';
      readonly name: string;
      readonly uid: string;
      readonly generation: number;
      readonly network: string;
      readonly phase: Phase;
      readonly conditions: readonly Condition[];
      readonly finalizer: boolean;
      /** The network is its own: only then anything is made, or deleted, for it. */
      readonly holds: boolean;
      readonly wasReady: boolean;
      readonly sinceMs: number;
      readonly notices: readonly Notice[];
      /** What bgp itself remembers; of no interest to others. */
      readonly waits?: readonly Wait[] | undefined;
    }
  /** The resource is gone, and all that was decided of it is void. */
  | {
      readonly kind: 'ResourceForgotten';
      readonly resource: Resource;
      readonly name: string;
      readonly uid: string;
    }
  | {
      readonly kind: 'ObjectDecided';
      readonly object: ManagedKind;
      readonly name: string;
      /** The object that this was concluded from; '' = there was none. */
      readonly uid: string;
      /** `untouched`: nothing is written, whatever it looks like (foreign, or let go). */
      readonly want: 'present' | 'absent' | 'untouched';
      /** Labels that it is to have; labels of others stay. */
      readonly labels: Labels;
      /** Labels that it must not have. */
      readonly dropped: readonly string[];
      /** The spec as canonical JSON; of a Network what is merged into it; '' unless `present`. */
      readonly spec: string;
      /**
       * `cudnbgpconfig/cluster`: whose condition tells when it cannot be written;
       * `cudnbgprouting/*` = that of each routing that has such a condition.
       */
      readonly owner: string;
      /** The type of that condition. */
      readonly condition: string;
      readonly because: string;
    };
