/** What aws-sync concluded, and what came of it. */
import type { Condition, Phase } from './bgp-decision.ts';
import type { Trouble } from './cloud-door.ts';
import type { Notice } from './notice.ts';

/** A change of one Route Server peer; its place is the endpoint and the address. */
export interface PeerChange {
  readonly change: 'create' | 'tag' | 'delete';
  readonly region: string;
  readonly server: string;
  readonly endpoint: string;
  readonly address: string;
  /** '' = not made yet. */
  readonly id: string;
  readonly asn: number;
  readonly liveness: string;
  /** The node that the peer is for, or was. */
  readonly node: string;
  /** Sluice made this very peer, whatever its tags say yet. */
  readonly made: boolean;
}

/** A change of the source/destination check of a node's primary network interface. */
export interface InterfaceChange {
  readonly node: string;
  readonly uid: string;
  readonly region: string;
  readonly instance: string;
  readonly interface: string;
  /** What it is to be: on or off. */
  readonly sourceDestCheck: string;
  /** How often somebody turned back what Sluice had set. */
  readonly reverts: number;
}

export type AwsDecision =
  /**
   * How a CUDNBgpConfig stands in AWS. Without `spec.aws` and anything left there, none is said.
   */
  | {
      readonly kind: 'AwsJudged';
      readonly name: string;
      readonly uid: string;
      readonly generation: number;
      /** As far as AWS is concerned. */
      readonly phase: Phase;
      readonly conditions: readonly Condition[];
      /** `status.aws` as canonical JSON; '' = none. */
      readonly status: string;
      /** Nothing of ours is left in AWS, or it was orphaned: the finalizer may go. */
      readonly released: boolean;
      readonly notices: readonly Notice[];
    }
  /**
   * On the log before the call: whoever reads this and no outcome does not know what came of it.
   */
  | ({ readonly kind: 'PeerIntended'; readonly because: string } & PeerChange)
  | ({ readonly kind: 'InterfaceIntended'; readonly because: string } & InterfaceChange);

/** What came of a call that changes something. */
export interface Came {
  /** `gone`: there is no such thing (any more); `unknown`: it may have happened, or not. */
  readonly result: 'done' | 'gone' | 'refused' | 'unknown';
  /** The class of the failure (`core/cloud-door.ts`); '' when done. */
  readonly trouble: Trouble | '';
  /** The error code of AWS; '' when done. */
  readonly code: string;
  /** In words, without account ids and encoded messages; '' when done. */
  readonly message: string;
}

export type AwsOutcome =
  | ({ readonly kind: 'PeerChanged' } & PeerChange & Came)
  | ({ readonly kind: 'InterfaceChanged' } & InterfaceChange & Came);
