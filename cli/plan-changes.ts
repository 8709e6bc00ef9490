/** The changes that `sluice plan` is asked about, from words to facts. */
import type { Labels } from '../core/fact.ts';
import { exit, Failure } from './failure.ts';
import type { Draft } from './plan-draft.ts';

/** As given on the command line; each option may stand there several times. */
export interface Changes {
  readonly lose: readonly string[];
  /** `node/NAME`, then its labels, then perhaps the next node. */
  readonly label: readonly string[];
  readonly unlabel: readonly string[];
  readonly delete: readonly string[];
}

/** Makes the changes in the draft; nodes are lost last. Throws Failure 64. */
export function change(draft: Draft, { lose, label, unlabel, delete: doomed }: Changes): void {
  for (const [name, labels] of byNode('--label', label)) setLabels(draft, name, labels);
  for (const [name, keys] of byNode('--unlabel', unlabel)) dropLabels(draft, name, keys);
  for (const word of doomed) remove(draft, word);
  for (const word of lose) loseAll(draft, word);
}

/** Labels belong to the node before them. */
function byNode(
  option: string,
  words: readonly string[],
): readonly (readonly [string, string[]])[] {
  const found: (readonly [string, string[]])[] = [];
  for (const word of words) {
    const [, name] = /^(?:node|nodes|no)\/([^=/]+)$/.exec(word) ?? [];
    if (name !== undefined) found.push([name, []]);
    else if (found.length > 0) found.at(-1)?.[1].push(word);
    else throw usage(`${option} ${word}: begin with the node: ${option} node/NAME ${word}`);
  }
  const bare = found.find(([, labels]) => labels.length === 0);
  if (bare !== undefined) throw usage(`${option} node/${bare[0]}: which label?`);
  return found;
}

/** As `kubectl label --overwrite` does. */
function setLabels(draft: Draft, name: string, words: readonly string[]): void {
  const node = draft.node(name);
  const labels: Record<string, string> = { ...node.labels };
  for (const word of words) {
    const [, key = '', value] = /^([^=]+)=(.*)$/.exec(word) ?? [];
    if (value === undefined) throw usage(`--label ${word}: KEY=VALUE is the form`);
    labels[key] = value;
  }
  draft.putNode({ ...node, labels });
}

function dropLabels(draft: Draft, name: string, keys: readonly string[]): void {
  const node = draft.node(name);
  const missing = keys.find((key) => !Object.hasOwn(node.labels, key));
  if (missing !== undefined) throw usage(`node ${name} has no label "${missing}"`);
  const labels: Labels = Object.fromEntries(
    Object.entries(node.labels).filter(([key]) => !keys.includes(key)),
  );
  draft.putNode({ ...node, labels });
}

function remove(draft: Draft, word: string): void {
  const form = 'egressip/NAME, node/NAME, cudnbgpconfig/NAME or cudnbgprouting/NAME';
  const { kind, name } = target(word, '--delete', form);
  if (kind === 'node') draft.loseNode(draft.node(name));
  else if (kind === 'egressip') draft.deleteEgressIP(name);
  else if (kind === 'cudnbgpconfig') draft.deleteConfig(name);
  else if (kind === 'cudnbgprouting') draft.deleteRouting(name);
  else throw usage(`--delete ${word}: ${form} is the form`);
}

function loseAll(draft: Draft, word: string): void {
  const { kind, name } = target(word, '--lose', 'node/NAME or zone/NAME');
  if (kind === 'node') draft.loseNode(draft.node(name));
  else if (kind === 'zone') for (const node of draft.zone(name)) draft.loseNode(node);
  else throw usage(`--lose ${word}: node/NAME or zone/NAME is the form`);
}

const kinds: Readonly<Record<string, string>> = {
  node: 'node',
  nodes: 'node',
  no: 'node',
  zone: 'zone',
  egressip: 'egressip',
  egressips: 'egressip',
  eip: 'egressip',
  cudnbgpconfig: 'cudnbgpconfig',
  cudnbgpconfigs: 'cudnbgpconfig',
  cudnbgprouting: 'cudnbgprouting',
  cudnbgproutings: 'cudnbgprouting',
};

function target(word: string, option: string, form: string): { kind: string; name: string } {
  const slash = word.indexOf('/');
  const given = word.slice(0, Math.max(0, slash)).toLowerCase();
  const kind = Object.hasOwn(kinds, given) ? kinds[given] : undefined;
  const name = word.slice(slash + 1);
  if (kind === undefined || name === '') throw usage(`${option} ${word}: ${form} is the form`);
  return { kind, name };
}

const usage = (message: string): Failure => new Failure(exit.usage, message);
