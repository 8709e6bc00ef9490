/** What an EgressIP or a Node asks for beyond upstream, by annotation; off unless it asks. */
import { DRAIN, PREFER, REBALANCE } from '../../core/annotation.ts';
import type { EgressIP, Labels } from '../../core/fact.ts';
import { readSelector, type Selector } from '../../core/selector.ts';

export interface Policy {
  /** Nodes that are liked better; undefined = all the same. An unreadable text counts as absent. */
  readonly prefer: Selector | undefined;
  /** How many of its addresses may be moved for balance in a minute; 0 = none, the default. */
  readonly rebalancePerMinute: number;
  /** Annotations that are there but cannot be read, a sentence each. */
  readonly problems: readonly string[];
}

/** An annotation's value may have 256 KiB; so much of it is shown. */
const SHOWN = 60;

const noPolicy: Policy = { prefer: undefined, rebalancePerMinute: 0, problems: [] };

export function policyOf({ annotations }: EgressIP): Policy {
  if (annotations[PREFER] === undefined && annotations[REBALANCE] === undefined) return noPolicy;
  const prefer = readSelector(annotations[PREFER] ?? '');
  const rebalance = rebalanceOf(annotations[REBALANCE] ?? '');
  return {
    prefer: prefer?.problem === undefined ? prefer : undefined,
    rebalancePerMinute: rebalance ?? 0,
    problems: [
      ...(rebalance === undefined
        ? [unreadable(annotations, REBALANCE, '0/min to 9999/min, as 5/min')]
        : []),
      ...(prefer?.problem === undefined
        ? []
        : [unreadable(annotations, PREFER, 'a label selector, as fast=yes or zone in (a,b)')]),
    ],
  };
}

/** Moves in a minute; undefined = unreadable. */
function rebalanceOf(text: string): number | undefined {
  const match = /^(0|[1-9]\d{0,3})\/min$/.exec(text || '0/min');
  return match === null ? undefined : Number(match[1]);
}

/** Whatever is neither true nor false drains nothing, and is told. */
export function drainProblems(annotations: Labels): readonly string[] {
  const isRead = ['true', 'false', ''].includes(annotations[DRAIN] ?? '');
  return isRead ? [] : [unreadable(annotations, DRAIN, 'true, false or nothing')];
}

function unreadable(annotations: Labels, key: string, allowed: string): string {
  const value = annotations[key] ?? '';
  const shown = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  return `${key} is ${JSON.stringify(shown)} and does not count; allowed: ${allowed}`;
}
