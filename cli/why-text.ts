/** The answer of `sluice why` as a page of text, and as a record for machines. */
import { topicOf } from '../core/subject.ts';
import type { Explanation, NodeView } from '../services/assigner/explain.ts';
import { age, moment } from './age.ts';
import type { Link } from './causes.ts';
import type { Home } from './homes.ts';
import type { Since } from './steady.ts';
import { NONE, table } from './table.ts';
import { printable } from './terminal.ts';
import { helpText } from './why-help.ts';

export interface Answer extends Explanation {
  readonly egressIP: string;
  readonly home: Home | undefined;
  readonly causes: readonly Link[];
  /** For nodes that are not ready or do not answer. */
  readonly since: ReadonlyMap<string, Since>;
}

/** More nodes than this are grouped by what refuses them. */
const MOST_ROWS = 30;

export function textOf(answer: Answer, all: boolean, nowMs: number): string {
  const { nodes, causes, since } = answer;
  const grouped = nodes.length > MOST_ROWS && !all;
  const parts = [
    `${printable(headOf(answer, nowMs))}\n`,
    nodes.length === 0 ? '' : grouped ? groupTable(nodes) : nodeTable(nodes, since, nowMs),
    [soonText(answer), helpText(answer)].filter((line) => line !== '').join(''),
    causes.length === 0 ? '' : `Because of:\n${causesTable(causes, nowMs)}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** `203.0.113.10 of prod-web has no node since 10:14:20 (12s): no node matches tier=production.` */
function headOf({ address, egressIP, state, because, home }: Answer, nowMs: number): string {
  const atMs = home?.heard.atMs;
  const since = atMs === undefined ? '' : ` since ${moment(atMs, nowMs)} (${age(nowMs - atMs)})`;
  if (state.kind !== 'placed') return `${address} of ${egressIP} has no node${since}: ${because}.`;
  const before = home?.previous ? `, before on ${home.previous}` : '';
  return `${address} of ${egressIP} is on ${state.placement.node}${since}${before}.`;
}

function soonText({ soon }: Answer): string {
  if (soon === undefined) return '';
  const then = soon === '' ? 'it has no node' : `it goes to ${soon}`;
  return `The assigner has not decided on the latest facts yet; by its rules ${then}.\n`;
}

const heads = ['NODE', 'SELECTOR', 'READY', 'REACHABLE', 'NETWORK', 'SIBLINGS', 'VERDICT'];

function nodeTable(
  nodes: readonly NodeView[],
  since: ReadonlyMap<string, Since>,
  nowMs: number,
): string {
  return table(
    heads,
    nodes.map((view) => nodeRow(view, since.get(view.node) ?? {}, nowMs)),
  );
}

function nodeRow(view: NodeView, { notReadyMs, unreachableMs }: Since, nowMs: number): string[] {
  const { node, matches, ready, reachable, network, sibling, verdict } = view;
  const no = (sinceMs: number | undefined): string =>
    sinceMs === undefined ? 'no' : `no (${age(nowMs - sinceMs)})`;
  return [
    node,
    matches ? 'yes' : 'no',
    ready ? 'yes' : no(notReadyMs),
    reachable === undefined ? NONE : reachable ? 'yes' : no(unreachableMs),
    network || NONE,
    sibling || NONE,
    printable(verdict),
  ];
}

function groupTable(nodes: readonly NodeView[]): string {
  const groups = Map.groupBy(nodes, ({ rule, verdict }) =>
    rule === 'does not match' || rule === 'no network' ? verdict : rule,
  );
  const rows = [...groups]
    .sort(([, a], [, b]) => a.length - b.length)
    .map(([verdict, members]) => {
      const names = members.slice(0, 3).map(({ node }) => node);
      const more = members.length > names.length ? ', …' : '';
      return [String(members.length), printable(verdict), `${names.join(', ')}${more}`];
    });
  return `${table(['NODES', 'VERDICT', 'FOR EXAMPLE'], rows)}Each node: --all\n`;
}

export function causesTable(causes: readonly Link[], nowMs: number): string {
  const rows = causes.map(({ stream, sequence, heard, depth }) => {
    const arrow = depth === 0 ? '' : `${'  '.repeat(depth - 1)}← `;
    const head = `  ${arrow}${stream} ${sequence}`;
    if (heard === undefined) return [head, NONE, NONE, 'not on the log any more'];
    const { kind, name } = topicOf(heard.event);
    const time = `${moment(heard.atMs, nowMs)}.${String(heard.atMs % 1_000).padStart(3, '0')}`;
    return [head, time, `${kind}/${name}`, printable(heard.said)];
  });
  return table(undefined, rows);
}

/** What the page says, as plain values; times as RFC 3339 writes them. */
export function recordOf(answer: Answer): object {
  const { egressIP, address, state, words, because, home, soon, nodes, help, causes } = answer;
  return {
    egressIP,
    address,
    node: state.kind === 'placed' ? state.placement.node : '',
    ...(home !== undefined && {
      since: new Date(home.heard.atMs).toISOString(),
      previous: home.previous,
    }),
    state: words,
    because,
    ...(soon !== undefined && { soon }),
    nodes,
    wouldBePlacedIf: help.map(({ name, change }) => `${name} ${change}`),
    causes: causes.map(({ stream, sequence, heard }) => ({
      stream,
      sequence,
      ...(heard !== undefined && {
        time: new Date(heard.atMs).toISOString(),
        ...topicOf(heard.event),
        said: heard.said,
      }),
    })),
  };
}
