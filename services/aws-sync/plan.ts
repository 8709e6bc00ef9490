/**
 * What a plan is made of: single changes, and how each thing stands. Nothing here does anything.
 */
import type { InterfaceChange, PeerChange } from '../../core/aws-decision.ts';
import type { CloudChange } from '../../core/cloud-door.ts';
import type { Group } from './groups.ts';
import type { Stage } from './stage.ts';
import type { Standing } from './standing.ts';

/** Why an item does not stand as it should: these become reasons of conditions. */
export type Reason =
  | ''
  | 'PeerConflict'
  | 'PeerQuotaExceeded'
  | 'Unauthorized'
  | 'AWSReconcileFailed'
  | 'ForeignWriter';

/** One peer, or one network interface. */
export interface Item {
  /** `peer 10.0.1.10 at rse-1 (worker-1)`. */
  readonly what: string;
  readonly state: 'ok' | 'pending' | 'failed';
  readonly reason: Reason;
  /** Half a sentence; '' when it is ok. */
  readonly because: string;
}

export type Step =
  | {
      readonly kind: 'peer';
      readonly change: PeerChange;
      readonly call: CloudChange;
      readonly because: string;
    }
  | { readonly kind: 'check'; readonly change: InterfaceChange; readonly because: string };

export interface Plan {
  readonly steps: readonly Step[];
  readonly items: readonly Item[];
  readonly groups: readonly Group[];
  readonly stages: ReadonlyMap<string, Stage>;
  readonly routers: readonly Standing[];
  /** Routers without an endpoint that they can reach. */
  readonly uncovered: readonly Standing[];
  readonly crowded: readonly string[];
  /** How many peers are wanted. */
  readonly wanted: number;
  /** Peers of ours that are there, wanted or not. */
  readonly held: readonly string[];
  /** Something is on its way: it is looked at again soon. */
  readonly pending: boolean;
  /** When there is more to do, though nothing else happens. */
  readonly nextMs: number;
}

/** Collects a plan; the order of steps is the order of doing. */
export class Draft {
  readonly steps: Step[] = [];
  readonly items: Item[] = [];
  nextMs = Infinity;
  pending = false;
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  ok(what: string): void {
    this.items.push({ what, state: 'ok', reason: '', because: '' });
  }

  wait(what: string, because: string, untilMs = Infinity): void {
    this.items.push({ what, state: 'pending', reason: '', because });
    this.pending = true;
    this.at(untilMs);
  }

  fail(what: string, reason: Reason, because: string, untilMs = Infinity): void {
    this.items.push({ what, state: 'failed', reason, because });
    this.at(untilMs);
  }

  /** There is something to do then; what is past is done already, or waits for a listing. */
  at(nextMs: number): void {
    if (nextMs > this.#nowMs) this.nextMs = Math.min(this.nextMs, nextMs);
  }
}
