/** What is new in a fact, as a sentence: the difference to what was told before. */
import { type Drained, sayDrained } from '../../core/drained.ts';
import type { CloudClaim, EgressIP, Labels, LabelSelector, Node } from '../../core/fact.ts';
import { list } from '../../core/say.ts';
import { compile } from '../../core/selector.ts';

export function nodeNews(before: Node | undefined, now: Node): string {
  if (before === undefined) return `appeared, ${stateOf(now)}`;
  if (before.uid !== now.uid) return `was replaced, ${stateOf(now)}`;
  const news = [
    ...(before.ready === now.ready ? [] : [now.ready ? 'is ready' : 'is not ready']),
    ...labelNews(before.labels, now.labels),
    ...annotationNews(before.annotations, now.annotations),
    ...drainNews(before.drained ?? '', now.drained ?? ''),
  ];
  return news.join(', ') || 'changed';
}

function stateOf({ ready, drained = '' }: Node): string {
  const state = ready ? 'ready' : 'not ready';
  return drained === '' ? state : `${state}, drained: ${sayDrained(drained)}`;
}

/** The annotation is told of as an annotation. */
function drainNews(before: Drained, now: Drained): string[] {
  if (before === now || now === 'annotation') return [];
  if (now !== '') return [`is drained: ${sayDrained(now)}`];
  return before === 'annotation' ? [] : ['is not drained any more'];
}

export function labelNews(before: Labels, now: Labels): string[] {
  const lost = Object.keys(before).filter((key) => now[key] !== before[key]);
  const got = Object.keys(now).filter((key) => now[key] !== before[key]);
  const say = (labels: Labels) => (key: string) => (labels[key] ? `${key}=${labels[key]}` : key);
  return [
    ...(lost.length === 0 ? [] : [`lost label ${list(lost.map(say(before)))}`]),
    ...(got.length === 0 ? [] : [`got label ${list(got.map(say(now)))}`]),
  ];
}

function annotationNews(before: Labels, now: Labels): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keys
    .filter((key) => before[key] !== now[key])
    .map((key) => `${key} ${now[key] === undefined ? 'removed' : `is ${now[key]}`}`);
}

export function egressIPNews(before: EgressIP | undefined, now: EgressIP): string {
  if (before === undefined || before.uid !== now.uid)
    return `${before === undefined ? 'appeared' : 'was replaced'}: ${specOf(now)}`;
  const news: string[] = [];
  if (before.addresses.join() !== now.addresses.join())
    news.push(`spec.egressIPs is [${list(now.addresses)}]`);
  if (textOf(before.nodeSelector) !== textOf(now.nodeSelector))
    news.push(`egressNodeSelector is ${textOf(now.nodeSelector)}`);
  if (itemsOf(before) !== itemsOf(now)) news.push(`status is ${itemsOf(now) || 'empty'}`);
  news.push(...annotationNews(before.annotations, now.annotations));
  return news.join(', ') || 'changed';
}

export function claimNews(before: CloudClaim | undefined, now: CloudClaim): string {
  if (before === undefined || before.uid !== now.uid) {
    const how = before === undefined ? 'appeared' : 'was replaced';
    return `${how}: for ${now.owner || 'nobody'} on ${now.node}, ${cloudWord(now)}`;
  }
  const news: string[] = [];
  if (before.owner !== now.owner) news.push(`is for ${now.owner || 'nobody'}`);
  if (before.node !== now.node) news.push(`is wanted on ${now.node || 'no node'}`);
  if (!before.deleting && now.deleting) news.push('is being released');
  if (cloudWord(before) !== cloudWord(now)) news.push(cloudWord(now));
  return news.join(', ') || 'changed';
}

/** What the cloud says, in words. */
function cloudWord({ assigned, statusNode, message }: CloudClaim): string {
  const where = statusNode === '' ? '' : ` on ${statusNode}`;
  if (assigned === 'True') return statusNode === '' ? 'assigned nowhere' : `assigned${where}`;
  if (assigned === 'False') return `failed${where}${message === '' ? '' : ` (${message})`}`;
  return assigned === '' ? 'not taken up yet' : `under way${where}`;
}

const textOf = (selector: LabelSelector | undefined): string => compile(selector).text;

const specOf = (egressIP: EgressIP): string =>
  `[${list(egressIP.addresses)}] on ${textOf(egressIP.nodeSelector)}`;

const itemsOf = ({ items }: EgressIP): string =>
  list(
    items.map(({ egressIP, node }) => `${egressIP} on ${node}`),
    10,
  );
