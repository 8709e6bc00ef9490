/**
 * Kubernetes label selectors: which labels they match, and how they read (`spec/egressip.md` 9).
 */
import { EGRESS_ASSIGNABLE } from './annotation.ts';
import type { Labels, LabelSelector, Requirement } from './fact.ts';

/**
 * A selector made ready for matching. An invalid one matches nothing (OKEP-6800: hurts only
 * itself).
 */
export interface Selector {
  /** Equal keys match equal labels; for people too: `tier=production`. */
  readonly text: string;
  /** Why it is invalid, or undefined. */
  readonly problem: string | undefined;
  matches(labels: Labels): boolean;
}

/** What the CRD's default says; nil means it too (`spec/egressip.md` 9.3). */
export const defaultSelector: LabelSelector = {
  matchLabels: {},
  matchExpressions: [{ key: EGRESS_ASSIGNABLE, operator: 'Exists', values: [] }],
};

/** Nearly every EgressIP may have it: it is made ready once, when first asked for. */
let byDefault: Selector | undefined;

export const compile = (selector: LabelSelector | undefined): Selector =>
  selector === undefined ? (byDefault ??= prepare(defaultSelector)) : prepare(selector);

function prepare({ matchLabels, matchExpressions }: LabelSelector): Selector {
  const equals = Object.keys(matchLabels)
    .toSorted()
    .map((key): Requirement => ({ key, operator: 'In', values: [matchLabels[key] ?? ''] }));
  const requirements = [...equals, ...matchExpressions];
  const problem = requirements.map(problemOf).find((found) => found !== undefined);
  const text = requirements.map(describe).toSorted().join(',') || 'every node';
  if (problem !== undefined) return { text, problem, matches: () => false };
  return {
    text,
    problem,
    matches: (labels) => requirements.every((requirement) => satisfies(requirement, labels)),
  };
}

/**
 * Reads the text form of kubectl and of flags: `a=b,c!=d,e in (f,g),h,!i`. Undefined = unreadable.
 */
export function parseSelector(text: string): LabelSelector | undefined {
  const matchExpressions = text === '' ? [] : partsOf(text).map(requirementOf);
  if (matchExpressions.some((found) => found === undefined)) return undefined;
  return { matchLabels: {}, matchExpressions: matchExpressions.filter((r) => r !== undefined) };
}

/**
 * A selector from its text form; undefined for the empty text. An unreadable one matches nothing.
 */
export function readSelector(text: string): Selector | undefined {
  if (text === '') return undefined;
  const bad = { key: text, operator: 'In', values: [] };
  return compile(parseSelector(text) ?? { matchLabels: {}, matchExpressions: [bad] });
}

/** The text between commas, but for those within parentheses. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    if (sign !== ',' || depth > 0) continue;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return [...parts, text.slice(from).trim()];
}

function requirementOf(text: string): Requirement | undefined {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return { key: set[1] ?? '', operator: set[2] === 'in' ? 'In' : 'NotIn', values };
  }
  const equal = /^([^!=\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(text);
  if (equal !== null) {
    const operator = equal[2] === '!=' ? 'NotIn' : 'In';
    return { key: equal[1] ?? '', operator, values: [equal[3] ?? ''] };
  }
  const bare = /^(!?)([^!=\s()]+)$/.exec(text);
  if (bare === null) return undefined;
  return { key: bare[2] ?? '', operator: bare[1] === '' ? 'Exists' : 'DoesNotExist', values: [] };
}

/** Names such as `constructor` are ordinary label keys: only own properties count. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function satisfies({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = labelOf(labels, key);
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    default:
      return value === undefined || !values.includes(value);
  }
}

const keyForm = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/i;
const valueForm = /^([a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?)?$/i;

/** The rules of apimachinery's `LabelSelectorAsSelector`. */
function problemOf({ key, operator, values }: Requirement): string | undefined {
  if (!keyForm.test(key)) return `"${key}" is no label key`;
  switch (operator) {
    case 'In':
    case 'NotIn': {
      if (values.length === 0) return `${key}: operator ${operator} needs at least one value`;
      const bad = values.find((value) => !valueForm.test(value));
      return bad === undefined ? undefined : `${key}: "${bad}" is no label value`;
    }
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? undefined : `${key}: operator ${operator} takes no values`;
    default:
      return `${key}: "${operator}" is no operator`;
  }
}

function describe({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    default:
      return `${key} ${operator} (${values.join(',')})`;
  }
}
