/** What an EgressIP asks for beyond upstream, by annotation; off unless it asks. */
import { PREFER, REBALANCE } from '../../core/annotation.ts';
import type { EgressIP } from '../../core/fact.ts';
import { readSelector, type Selector } from '../../core/selector.ts';

export interface Policy {
  /** Nodes that are liked better; undefined = all the same. An unreadable text counts as absent. */
  readonly prefer: Selector | undefined;
  /** How many of its addresses may be moved for balance in a minute; 0 = none, the default. */
  readonly rebalancePerMinute: number;
}

export function policyOf(egressIP: EgressIP): Policy {
  const prefer = readSelector(egressIP.annotations[PREFER] ?? '');
  const match = /^([1-9]\d{0,3})\/min$/.exec(egressIP.annotations[REBALANCE] ?? '');
  return {
    prefer: prefer?.problem === undefined ? prefer : undefined,
    rebalancePerMinute: match === null ? 0 : Number(match[1]),
  };
}
