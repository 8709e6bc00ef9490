/** Which labels a node lacks, or has too much, to match a selector. */
import type { Labels, LabelSelector, Requirement } from '../../core/fact.ts';
import { compile, defaultSelector } from '../../core/selector.ts';

export interface LabelChange {
  readonly labels: Labels;
  /** `gets tier=production and loses old`: what follows the node's name. */
  readonly words: string;
}

/** The smallest change after which the node matches; undefined where there is none. */
export function labelsToMatch(
  selector: LabelSelector | undefined,
  labels: Labels,
): LabelChange | undefined {
  const { matchLabels, matchExpressions } = selector ?? defaultSelector;
  const equals = Object.entries(matchLabels).map(
    ([key, value]): Requirement => ({ key, operator: 'In', values: [value] }),
  );
  const now = new Map(Object.entries(labels));
  const words = [...equals, ...matchExpressions].flatMap((one) => mend(now, one));
  const mended = Object.fromEntries(now);
  if (!compile(selector).matches(mended)) return undefined;
  return { labels: mended, words: words.join(' and ') };
}

/** Makes the labels satisfy one requirement; what was done for it. */
function mend(labels: Map<string, string>, { key, operator, values }: Requirement): string[] {
  const value = labels.get(key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value) ? [] : put(labels, key, values[0] ?? '');
    case 'Exists':
      return value !== undefined ? [] : put(labels, key, '');
    case 'NotIn':
      return value === undefined || !values.includes(value) ? [] : drop(labels, key);
    default:
      return value === undefined ? [] : drop(labels, key);
  }
}

function put(labels: Map<string, string>, key: string, value: string): string[] {
  labels.set(key, value);
  return [`gets ${value === '' ? key : `${key}=${value}`}`];
}

function drop(labels: Map<string, string>, key: string): string[] {
  labels.delete(key);
  return [`loses ${key}`];
}
