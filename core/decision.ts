/** What was concluded, and why. The latest decision on an object is its whole story. */
import type { AwsDecision } from './aws-decision.ts';
import type { BgpDecision } from './bgp-decision.ts';
import type { Notice } from './notice.ts';

export type { Notice, NoticeReason } from './notice.ts';

/** An address and the node that hosts it. */
export interface Placement {
  /** Canonical text. */
  readonly address: string;
  readonly node: string;
  /**
   * The node that hosted it before, or ''. Its lingering host address is no conflict: it is ours.
   */
  readonly previous: string;
}

/** Why an address has no node: a closed list. */
export type RefusalReason =
  /** Stands more than once in the spec; it is served once, so this refuses nothing. */
  | 'Doubled'
  | 'InvalidAddress'
  | 'InvalidSelector'
  | 'HeldByOther'
  | 'HostConflict'
  | 'NoMatchingNode'
  | 'NoAvailableNode'
  | 'NoNetwork'
  | 'NodesFull'
  | 'SiblingsEverywhere';

export interface Refusal {
  /** Canonical text, or the text as it stands in the spec where that is no address. */
  readonly address: string;
  readonly reason: RefusalReason;
  /** HostConflict: the node whose host address it is. HeldByOther: where it is hosted. Else ''. */
  readonly node: string;
  /** HeldByOther: the EgressIP that holds it. Else ''. */
  readonly egressIP: string;
  /** The node that hosted it last, or ''. */
  readonly previous: string;
}

/** A node that could not take an address in the cloud is left in peace for a while. */
export interface Rest {
  readonly address: string;
  readonly node: string;
  readonly untilMs: number;
}

export type Decision = EgressDecision | BgpDecision | AwsDecision;

/** What the assigner says. */
export type EgressDecision =
  | {
      readonly kind: 'EgressIPDecided';
      readonly name: string;
      readonly uid: string;
      readonly placements: readonly Placement[];
      readonly refusals: readonly Refusal[];
      /**
       * The mark that the object is to carry; 0 when none is left, or the object's own is unusable.
       */
      readonly mark: number;
      /**
       * Counts the marks handed out, so that the round goes on after a restart; 0 = found, not
       * given.
       */
      readonly markSerial: number;
      /**
       * On a cloud: an address enters the status only when its CloudPrivateIPConfig is confirmed on
       * the node, and leaves it before that is moved or deleted (`spec/egressip.md` 5.4, 11.8).
       */
      readonly cloud: boolean;
      readonly rests: readonly Rest[];
      /**
       * What cannot be read of its policies, a sentence each; absent = none, as all can be.
       */
      readonly problems?: readonly string[];
      /** What is new with this decision, for Kubernetes Events; empty when it was adopted. */
      readonly notices: readonly Notice[];
    }
  | {
      readonly kind: 'EgressIPForgotten';
      readonly name: string;
      readonly uid: string;
      readonly mark: number;
      readonly markSerial: number;
    }
  | {
      readonly kind: 'NodeJudged';
      readonly name: string;
      readonly uid: string;
      /** What cannot be read of the node, a sentence each; empty when all can. */
      readonly problems: readonly string[];
      readonly notices: readonly Notice[];
    };
