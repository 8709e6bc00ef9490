/** What is to be thought over: sets of claims for each step of a turn, worked off in slices. */
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import type { Use } from './use.ts';

/** The steps of a turn: a step is done with all claims before the next one begins. */
export type Stage = 'judge' | 'place' | 'balance' | 'tell';

export class Agenda {
  /**
   * Claims whose homes are to be judged, whose homeless are to be placed, whose news is to be told.
   */
  readonly toJudge = new Set<Claim>();
  readonly toPlace = new Set<Claim>();
  /** Claims that ask for balance, when something changed that may make it better. */
  readonly toBalance = new Set<Claim>();
  readonly rebalancers = new Set<Claim>();
  readonly toTell = new Set<Claim>();
  readonly hostsToTell = new Set<Host>();
  /** The set that `decide` is working off, last one first, and which it is. */
  readonly queue: Claim[] = [];
  stage: Stage | undefined = undefined;
  /** What was said of the nodes of a selector in this stage. */
  readonly poolWords = new Map<Use, string>();
}
