/** What is to be thought over: sets of claims for each step of a turn, worked off in slices. */
import type { Claim } from './claim.ts';
import type { Host } from './host.ts';
import { Queue } from './queue.ts';
import type { Use } from './use.ts';

/**
 * The steps of a turn: a step is done with all claims before the next one begins. What must be told
 * before all else comes before the rest is told.
 */
export type Stage = 'judge' | 'place' | 'balance' | 'tell first' | 'tell';

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
  /** Who is to be judged once more when its news has been told. */
  readonly toReconsider = new Set<Claim>();
  readonly hostsToTell = new Set<Host>();
  /** The step that `decide` is working off, and for whom: some claims come before all others. */
  stage: Stage | undefined = undefined;
  readonly first = new Queue();
  readonly queue = new Queue();
  /** The claims of the step are still being put into their order; who comes now comes next time. */
  gathers = false;
  /** Whose news is to be told, in order, once all is told that must come first. */
  readonly ordered: Claim[] = [];
  /** What was said of the nodes of a selector in this stage. */
  readonly poolWords = new Map<Use, string>();
}
