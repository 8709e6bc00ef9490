/** How this EC2 behaves where the real one is slow, contradictory or undocumented. */

export interface Manners {
  /** A created peer is `pending` for so long. */
  pendingMs: number;
  deletingMs: number;
  /** How long what is `deleted` stays in the lists. */
  tombstoneMs: number;
  shuttingDownMs: number;
  /** How long a terminated instance stays visible. */
  terminatedMs: number;
  /** How far the replicas are behind of which each read meets one; [0] = always the present. */
  lagsMs: readonly number[];
  /** Lags of single readers, by access key. */
  lagsOf: Readonly<Record<string, readonly number[]>>;
  /** Two public sources disagree on whether a peer is tagged by its create. */
  tagOnCreate: boolean;
  /** How long the tags given at creation stay invisible. */
  tagDelayMs: number;
  /** EC2 rejects what it does not know; `ignore` shows what would happen otherwise. */
  unknownFilters: 'reject' | 'ignore';
  /** `accept` makes a second live peer, so that invariant I1 has something to find. */
  duplicatePeers: 'accept' | 'reject';
  /** Undocumented names. */
  duplicateCode: string;
  quotaCode: string;
  peersPerEndpoint: number;
  /** The most items of a page, whatever MaxResults says. */
  pageSize: number;
  /** An empty page with a token stands before each further page. */
  emptyPages: boolean;
  tokenMs: number;
  /** Items come in another order each time, as the API promises none. */
  shuffle: boolean;
  /** One token bucket per action, per category of actions, or none. */
  buckets: 'action' | 'category' | 'none';
  /** How long the credentials of an assumed role are good. */
  roleMs: number;
  /** The invariants that are watched. */
  invariants: readonly Invariant[];
}

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6';

const minute = 60_000;

export const defaults: Manners = {
  pendingMs: 5_000,
  deletingMs: 10_000,
  tombstoneMs: 240 * minute,
  shuttingDownMs: 30_000,
  terminatedMs: 60 * minute,
  lagsMs: [0],
  lagsOf: {},
  tagOnCreate: true,
  tagDelayMs: 0,
  unknownFilters: 'reject',
  duplicatePeers: 'accept',
  duplicateCode: 'RouteServerPeerAlreadyExists',
  quotaCode: 'RouteServerPeerLimitExceeded',
  peersPerEndpoint: 20,
  pageSize: 1_000,
  emptyPages: false,
  tokenMs: 60 * minute,
  shuffle: true,
  buckets: 'action',
  roleMs: 60 * minute,
  invariants: ['I1', 'I2', 'I3', 'I4', 'I5', 'I6'],
};
