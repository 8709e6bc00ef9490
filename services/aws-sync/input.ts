/** What aws-sync senses, and what it does. */
import type { InterfaceChange, PeerChange } from '../../core/aws-decision.ts';
import type { Answer, CloudChange, CloudPeer, Picture } from '../../core/cloud-door.ts';
import type { Now, Wake } from '../../core/wake.ts';

/** Times in milliseconds, with their defaults (`docs/aws.md`). */
export interface Times {
  /** Everything is read anew so often. */
  readonly refreshMs: number;
  /** What is on its way is looked at so often. */
  readonly pendingMs: number;
  /** After a refusal that time alone does not heal. */
  readonly retryMs: number;
  /** A throttle, or a cloud that does not answer, is told after so long without a picture. */
  readonly patienceMs: number;
  /** A peer that nobody wants any more is deleted after so long. */
  readonly graceMs: number;
  /** No router node at all: nothing is deleted for so long. */
  readonly emptyMs: number;
  /** An endpoint that is not listed any more, and was not seen going, counts for so long. */
  readonly vanishedMs: number;
  /** A listing may be so late: what was done in this time is believed rather than the listing. */
  readonly lagMs: number;
  /** A session with a replaced peer is waited for so long before the next one is replaced. */
  readonly sessionMs: number;
  /** FRRConfigurations that do not go hold up the clean-up for so long at most. */
  readonly withdrawMs: number;
}

export const usualTimes: Times = {
  refreshMs: 60_000,
  pendingMs: 5_000,
  retryMs: 30_000,
  patienceMs: 120_000,
  graceMs: 30_000,
  emptyMs: 600_000,
  vanishedMs: 300_000,
  lagMs: 30_000,
  sessionMs: 300_000,
  withdrawMs: 300_000,
};

export interface Settings {
  readonly times: Times;
  /** AWS counts every peer on an endpoint that is not deleted; 20 unless it was raised. */
  readonly peersPerEndpoint: number;
}

/** Reads a region: all of it, or its peers. */
export interface Look {
  readonly kind: 'Look';
  readonly region: string;
  readonly what: 'all' | 'peers';
  /** Asks first whether the credentials are good. */
  readonly identify: boolean;
  readonly instances: readonly string[];
}

export interface ApplyPeer {
  readonly kind: 'ApplyPeer';
  readonly change: PeerChange;
  readonly call: CloudChange;
}

export interface ApplyInterface {
  readonly kind: 'ApplyInterface';
  readonly change: InterfaceChange;
}

export type Act = Look | ApplyPeer | ApplyInterface | Wake;

export type Seen =
  | { readonly what: 'all'; readonly picture: Picture }
  | { readonly what: 'peers'; readonly peers: readonly CloudPeer[] };

export type Input =
  | Now
  | {
      readonly kind: 'Looked';
      readonly look: Look;
      /** What it shows is at least as new as that. */
      readonly startedMs: number;
      readonly nowMs: number;
      readonly answer: Answer<Seen>;
    }
  | {
      readonly kind: 'Applied';
      readonly act: ApplyPeer | ApplyInterface;
      readonly nowMs: number;
      readonly answer: Answer<CloudPeer | null>;
    };
