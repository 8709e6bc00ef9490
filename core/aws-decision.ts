/** What aws-sync concluded, and what came of it. */
import type { Condition, Phase } from './bgp-decision.ts';
import type { Notice } from './notice.ts';

export type AwsDecision =
  /**
   * How a CUDNBgpConfig stands in AWS. Without `spec.aws` and anything left there, none is said.
   */
  {
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
  };

export type AwsOutcome = never;
