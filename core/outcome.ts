/** What came of a decision in the cluster. The latest outcome on an object is its whole story. */
import type { AwsOutcome } from './aws-decision.ts';
import type { BgpOutcome } from './bgp-outcome.ts';
import type { Item } from './fact.ts';

export type Outcome = EgressOutcome | BgpOutcome | AwsOutcome;

/** What came of the assigner's decisions. */
export type EgressOutcome =
  | {
      readonly kind: 'EgressIPPublished';
      readonly name: string;
      readonly uid: string;
      /**
       * The sequence on the assigner's stream of the last decision whose notices are recorded; 0 =
       * none.
       */
      readonly told: number;
      /** The items last written by us, or that would have been written in shadow mode. */
      readonly items: readonly Item[];
      /** 'status', 'mark', 'events', joined by '+'; '' when the write failed. */
      readonly wrote: string;
      /** Shadow mode: nothing was written, this is what would have been. */
      readonly shadow: boolean;
      /** Who keeps rewriting what is ours (a field manager), or ''. */
      readonly foreign: string;
      /** Why the write failed, or ''. */
      readonly failure: string;
    }
  /** What was done with a CloudPrivateIPConfig; '' = nothing but a failure. */
  | {
      readonly kind: 'CloudClaimPublished';
      readonly name: string;
      readonly owner: string;
      readonly node: string;
      readonly wrote: 'create' | 'move' | 'delete' | '';
      readonly failure: string;
    }
  | {
      readonly kind: 'NodePublished';
      readonly name: string;
      readonly uid: string;
      readonly told: number;
      readonly failure: string;
    };
