/** What came of a decision in the cluster. The latest outcome on an object is its whole story. */
import type { Item } from './fact.ts';

export type Outcome =
  | {
      readonly kind: 'EgressIPPublished';
      readonly name: string;
      readonly uid: string;
      /** The sequence on the assigner's stream of the last decision whose notices are recorded; 0 = none. */
      readonly told: number;
      /** The items last written by us. */
      readonly items: readonly Item[];
      /** 'status', 'mark', 'events', joined by '+'; '' when the write failed. */
      readonly wrote: string;
      /** Why the write failed, or ''. */
      readonly failure: string;
    }
  | {
      readonly kind: 'NodePublished';
      readonly name: string;
      readonly uid: string;
      readonly told: number;
      readonly failure: string;
    };
