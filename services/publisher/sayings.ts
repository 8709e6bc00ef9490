/** What the publisher says: the outcome on an object, and a sentence for people. */
import type { Cause, Saying } from '../../core/event.ts';
import type { Item } from '../../core/fact.ts';
import type { Outcome } from '../../core/outcome.ts';
import { list } from '../../core/say.ts';
import type { Claim, Step } from './claims.ts';
import type { Done } from './input.ts';
import type { Thing, Write } from './object.ts';

const becauseOf = (sequence: number | undefined): readonly Cause[] =>
  sequence === undefined || sequence === 0 ? [] : [{ stream: 'assigner', sequence }];

interface Published {
  readonly wrote?: string;
  readonly failure?: string;
  readonly shadow?: boolean;
  readonly items?: readonly Item[];
  readonly decision: number | undefined;
}

export function published(thing: Thing, what: Published, said: string): Saying {
  const { name, uid, told } = thing;
  const { wrote = '', failure = '', shadow = false, items = thing.items, decision } = what;
  const foreign = thing.foreign ?? '';
  const event: Outcome =
    thing.kind === 'node'
      ? { kind: 'NodePublished', name, uid, told, failure }
      : { kind: 'EgressIPPublished', name, uid, told, items, wrote, failure, shadow, foreign };
  return { event, causes: becauseOf(decision), said };
}

export const itemWords = (items: readonly Item[]): string =>
  list(
    items.map(({ egressIP, node }) => `${egressIP} on ${node}`),
    5,
  ) || 'empty';

export function success(thing: Thing, { items, wrote, decision }: Write, done: Done): Saying {
  const { wanted } = thing;
  const status = wrote.includes('status') ? `: ${itemWords(items)}` : '';
  const lateMs = wanted?.sequence === decision ? done.atMs - wanted.atMs : undefined;
  const late = lateMs === undefined ? '' : ` (${Math.max(0, lateMs)} ms after the decision)`;
  const said = `wrote ${wrote.replace('+', ' and ')}${status}${late}`;
  return published(thing, { wrote, decision }, said);
}

export function failure(thing: Thing, { result, message }: Done): Saying {
  const next = result === 'refused' ? 'the next decision will be tried' : 'will be tried again';
  const decision = thing.wanted?.sequence;
  return published(thing, { failure: message, decision }, `could not write: ${message}; ${next}`);
}

const verbs = {
  create: { done: 'requested on', failed: 'request' },
  move: { done: 'moved to', failed: 'move' },
  delete: { done: 'released on', failed: 'release' },
};

/** `why` = the message of the server when it failed, else ''. */
export function claimed({ name }: Claim, step: Step, why: string): Saying {
  const { verb, node, owner, decision } = step;
  const wrote = why === '' ? verb : '';
  const said =
    why === ''
      ? `${verbs[verb].done} ${node} for ${owner}`
      : `could not ${verbs[verb].failed} it for ${owner}: ${why}; will be tried again`;
  const event: Outcome = { kind: 'CloudClaimPublished', name, owner, node, wrote, failure: why };
  return { event, causes: becauseOf(decision), said };
}

/** A claim without an owner is reported and left alone; `asking` = who asks for it, or ''. */
export function leftAlone({ name, asker }: Claim, node: string, asking: string): Saying {
  const why = 'has no owner annotation';
  const event: Outcome = {
    kind: 'CloudClaimPublished',
    name,
    owner: '',
    node,
    wrote: '',
    failure: why,
  };
  const also = asking === '' ? '' : `, though ${asking} asks for it`;
  // Causes only where somebody was told: that is what is known of it after a restart.
  const causes = asking === '' ? [] : becauseOf(asker?.wanted?.sequence);
  return { event, causes, said: `${why}: left alone${also}` };
}
