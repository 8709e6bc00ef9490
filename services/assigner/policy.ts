/** What an EgressIP asks for beyond upstream, by annotation; off unless it asks. */
import { PREFER, REBALANCE } from '../../core/annotation.ts';
import type { EgressIP } from '../../core/fact.ts';
import { readSelector, type Selector } from '../../core/selector.ts';

export interface Policy {
  /** Nodes that are liked better; undefined = all the same. An unreadable text counts as absent. */
  readonly prefer: Selector | undefined;
  /** How many of its addresses may be moved for balance in a minute; 0 = none, the default. */
  readonly rebalancePerMinute: number;
  /** What cannot be read, a sentence each. */
  readonly problems: readonly string[];
}

export function policyOf(egressIP: EgressIP): Policy {
  const prefer = readSelector(egressIP.annotations[PREFER] ?? '');
  const budget = egressIP.annotations[REBALANCE];
  const match = /^([1-9]\d{0,3})\/min$/.exec(budget ?? '');
  const problems: string[] = [];
  if (prefer?.problem !== undefined)
    problems.push(`${PREFER} cannot be read as a label selector: ${prefer.problem}`);
  if (budget !== undefined && match === null)
    problems.push(`${REBALANCE} is "${budget}", allowed: a number of moves per minute, as 5/min`);
  return {
    prefer: prefer?.problem === undefined ? prefer : undefined,
    rebalancePerMinute: match === null ? 0 : Number(match[1]),
    problems,
  };
}
