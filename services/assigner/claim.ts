/**
 * An EgressIP as a claim: which addresses it wants, where each one lives, or why it has no home.
 */
import { type Address, parseAddress } from '../../core/address.ts';
import type { Decision, Refusal, Rest } from '../../core/decision.ts';
import type { Cause } from '../../core/event.ts';
import type { EgressIP } from '../../core/fact.ts';
import type { Selector } from '../../core/selector.ts';
import { policyOf } from './policy.ts';
import { SparseMap, SparseSet } from './sparse.ts';
import type { Use } from './use.ts';

export type Decided = Extract<Decision, { kind: 'EgressIPDecided' }>;

/** A node that hosts an address, and the one that did before ('' = none). */
export interface Home {
  readonly node: string;
  readonly previous: string;
}

/** What became of an address since the last decision, for notices and the tail. */
export interface Loss {
  readonly from: string;
  /** The node that hosted it before that one, or ''. */
  readonly previous: string;
  readonly because: string;
  /** It may stay where no other node is to be had: a drain, a failing cloud. */
  readonly soft: boolean;
}

/** A claim in the cloud that fails, and when patience with it is over. */
export interface Failure {
  readonly node: string;
  readonly overMs: number;
  readonly why: string;
}

/** What a claim has before its spec was read, and when it has no causes: the same for all. */
const none: readonly never[] = [];
const nothing: ReadonlyMap<string, never> = new Map<string, never>();

export class Claim {
  readonly name: string;
  seen: EgressIP | undefined = undefined;
  /** The selector that it shares with all claims of the same text. */
  use: Use | undefined = undefined;
  /** Nodes that it likes better, all else being equal. */
  prefer: Selector | undefined = undefined;
  rebalancePerMinute = 0;
  /** What cannot be read of its policies, a sentence each. */
  problems: readonly string[] = [];
  /** When addresses of it were moved for balance, in the last minute. */
  movedMs: readonly number[] = [];
  /** Valid addresses of the spec by canonical text, in spec order; duplicates collapse. */
  wants: ReadonlyMap<string, Address> = nothing;
  /** Texts of the spec that are no address. */
  invalid: readonly string[] = [];
  /** Canonical addresses that stand more than once in the spec. */
  doubled: readonly string[] = [];
  readonly homes = new Map<string, Home>();
  readonly refusals = new SparseMap<Refusal>();
  /** Addresses that lost their home since the last decision. */
  readonly losses = new SparseMap<Loss>();
  /** Addresses whose judgement waits for the first probe of a matching node. */
  readonly held = new SparseSet();
  /** Addresses that would leave their node for a better one, but there is none yet. */
  readonly restless = new SparseSet();
  /** Nodes that failed in the cloud, and until when they are not asked again. */
  rests: readonly Rest[] = [];
  /** Addresses that were seated in this turn: nobody knows yet, so they may still be moved. */
  readonly fresh = new SparseSet();
  /** The last decision on it, from the log or of our own. */
  decided: Decided | undefined = undefined;
  /** The last decision on an object that had the name before; it is to be told that it is void. */
  orphan: Decided | undefined = undefined;
  /** Address → node as the cluster's status had it when nothing was decided yet. */
  adopted: ReadonlyMap<string, string> | undefined = undefined;
  /** What made it worth a thought since the last decision. */
  causes: readonly Cause[] = none;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether it waits for something: any change of a matching node may end that. */
  get waits(): boolean {
    return this.refusals.size > 0 || this.held.size > 0 || this.restless.size > 0;
  }
}

/** Reads the spec anew; every entry that is no address is reported, the others are served. */
export function readSpec(claim: Claim, seen: EgressIP): void {
  const wants = new Map<string, Address>();
  const invalid: string[] = [];
  const doubled: string[] = [];
  for (const text of seen.addresses) {
    const address = parseAddress(text);
    if (address === undefined) invalid.push(text);
    else if (wants.has(address.text)) doubled.push(address.text);
    else wants.set(address.text, address);
  }
  const policy = policyOf(seen);
  claim.seen = seen;
  claim.prefer = policy.prefer;
  claim.rebalancePerMinute = policy.rebalancePerMinute;
  claim.problems = policy.problems;
  claim.wants = wants;
  claim.invalid = distinct(invalid);
  claim.doubled = distinct(doubled);
}

/** Address → its node, as a decision has it. */
export function nodesOf(decided: Decided | undefined): ReadonlyMap<string, string> {
  if (decided === undefined || decided.placements.length === 0) return nothing;
  return new Map(decided.placements.map(({ address, node }) => [address, node]));
}

const distinct = (texts: readonly string[]): readonly string[] =>
  texts.length < 2 ? texts : [...new Set(texts)];

/** Older first, then by name: the order in which claims are heard when they want the same. */
export function bySeniority(a: Claim, b: Claim): number {
  const age = (a.seen?.createdMs ?? 0) - (b.seen?.createdMs ?? 0);
  return age || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
