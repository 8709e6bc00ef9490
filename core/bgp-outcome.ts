/** What came of decisions about BGP routing in the cluster. */
import type { Condition, Phase, Resource } from './bgp-decision.ts';
import type { ManagedKind } from './managed.ts';

/** Why a write failed, judged by its status code: a closed list. '' = it did not. */
export type Failing =
  | ''
  /** 403 from whatever admission, or RBAC: it stays so until somebody changes something. */
  | 'denied'
  /** 400, 413, 422: the schema refuses it. */
  | 'invalid'
  /** A webhook that is down: it is tried again. */
  | 'webhook'
  /** The kind is not served. */
  | 'unserved'
  /** No answer, 429, 5xx: it is tried again. */
  | 'unreachable';

export type BgpOutcome =
  | {
      readonly kind: 'ObjectPublished';
      readonly object: ManagedKind;
      readonly name: string;
      readonly uid: string;
      /** The sequence on the stream of bgp of the decision that was carried out. */
      readonly decision: number;
      readonly wrote: 'create' | 'update' | 'delete' | '';
      readonly failing: Failing;
      /** The server's words, without ids of requests. */
      readonly failure: string;
      /**
       * The spec as canonical JSON as the server stored it, with its defaults: what differs from
       * this later was changed by somebody.
       */
      readonly accepted: string;
      /** What the field was before the first write (Network only), as canonical JSON; or ''. */
      readonly before: string;
      /** Who keeps rewriting it (a field manager), or ''. */
      readonly foreign: string;
      readonly shadow: boolean;
    }
  | {
      readonly kind: 'ResourcePublished';
      readonly resource: Resource;
      readonly name: string;
      readonly uid: string;
      /** The sequences on the streams of bgp and aws-sync up to which notices are recorded. */
      readonly told: number;
      readonly toldAws: number;
      readonly phase: Phase | '';
      readonly conditions: readonly Condition[];
      /** 'status', 'finalizer', 'events', joined by '+'; '' when the write failed. */
      readonly wrote: string;
      readonly failure: string;
      readonly shadow: boolean;
    };
