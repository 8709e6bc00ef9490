/** `sluice why cudnbgprouting/NAME`: how it stands, why, and what to do. */
import type { Condition } from '../core/bgp-decision.ts';
import type { Heard } from '../core/event.ts';
import {
  type ConfigView,
  configView,
  routingViews,
  type RoutingView,
} from '../services/bgp/explain.ts';
import { adviceOn } from '../services/bgp/explain-help.ts';
import { BgpPicture } from '../services/bgp/explain-picture.ts';
import { age } from './age.ts';
import { chainOf, type Link } from './causes.ts';
import { didYouMean, exit, Failure } from './failure.ts';
import { readToEnd, type Readable } from './read.ts';
import { configText, phaseWords } from './status-bgp.ts';
import { table } from './table.ts';
import { printable, type Terminal } from './terminal.ts';
import { causesTable } from './why-text.ts';

export interface BgpAsk {
  readonly kind: 'cudnbgprouting' | 'cudnbgpconfig';
  readonly name: string;
  readonly output: 'text' | 'json';
}

/** So many events that led to it are shown. */
const CAUSES = 6;

const kinds: Readonly<Record<string, BgpAsk['kind']>> = {
  cudnbgprouting: 'cudnbgprouting',
  cudnbgproutings: 'cudnbgprouting',
  cudnbgpconfig: 'cudnbgpconfig',
  cudnbgpconfigs: 'cudnbgpconfig',
};

/** Undefined where the question is about something else. */
export function bgpAskOf(target: string, output: 'text' | 'json'): BgpAsk | undefined {
  const [word = '', ...rest] = target.split('/');
  const kind = Object.hasOwn(kinds, word.toLowerCase()) ? kinds[word.toLowerCase()] : undefined;
  return kind === undefined || rest.length !== 1
    ? undefined
    : { kind, name: rest[0] ?? '', output };
}

/** Exit code 0 when it is Ready, else 1. Throws Failure when there is no such thing. */
export async function whyBgp(log: Readable, ask: BgpAsk, terminal: Terminal): Promise<number> {
  const picture = new BgpPicture();
  const streams = ['watcher', 'aws-sync', 'bgp', 'publisher'] as const;
  const last = { streams, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, terminal.signal)) picture.hear(read);
  const view = ask.kind === 'cudnbgpconfig' ? theConfig(picture, ask) : theRouting(picture, ask);
  const decided = picture.latest('bgp', ask.kind, ask.name);
  const causes = await causesOf(log, decided, picture, terminal.signal);
  const nowMs = terminal.nowMs();
  terminal.out(
    ask.output === 'json'
      ? `${JSON.stringify({ kind: ask.kind, ...view }, null, 2)}\n`
      : textOf(ask, view, causes, nowMs),
  );
  return view.phase === 'Ready' ? exit.fine : exit.notFine;
}

function theConfig(picture: BgpPicture, { name }: BgpAsk): ConfigView {
  const view = name === 'cluster' ? configView(picture) : undefined;
  if (view !== undefined) return view;
  throw new Failure(exit.notFine, `there is no CUDNBgpConfig "${name}". See: sluice status`);
}

function theRouting(picture: BgpPicture, { name }: BgpAsk): RoutingView {
  const all = routingViews(picture);
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const hint = didYouMean(
    name,
    all.map((one) => one.name),
  );
  throw new Failure(
    exit.notFine,
    `there is no CUDNBgpRouting "${name}".${hint} See: sluice status`,
  );
}

function causesOf(
  log: Readable,
  decided: Heard | undefined,
  picture: BgpPicture,
  signal: AbortSignal,
): Promise<readonly Link[]> {
  return decided === undefined
    ? Promise.resolve([])
    : chainOf(log, decided, picture, CAUSES, signal);
}

function textOf(
  { kind, name }: BgpAsk,
  view: ConfigView | RoutingView,
  causes: readonly Link[],
  nowMs: number,
): string {
  const since = view.sinceMs === 0 ? '' : ` for ${age(nowMs - view.sinceMs)}`;
  const about =
    'network' in view ? networkLine(view) : configText(view, nowMs).replace(/\n+$/, '\n');
  const help = view.conditions
    .map(adviceOn)
    .filter((text, at, all) => text && all.indexOf(text) === at);
  return [
    `${kind}/${name} is ${phaseWords(view)}${since}.\n${about}`,
    conditionTable(view.conditions),
    help.length === 0 ? '' : `What to do: ${help.join(' ')}\n`,
    causes.length === 0 ? '' : `Because of:\n${causesTable(causes, nowMs)}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function networkLine({ name, network, cudn, subnets, namespaces, holder }: RoutingView): string {
  const where = namespaces.length === 0 ? 'no namespace' : namespaces.join(', ');
  const whose = holder === '' || holder === name ? '' : `, held by ${holder}`;
  return (
    printable(`Network ${network} (${subnets.join(', ')}) is ${cudn}, in ${where}${whose}.`) + '\n'
  );
}

const conditionTable = (conditions: readonly Condition[]): string =>
  table(
    ['CONDITION', 'STATUS', 'REASON', 'MESSAGE'],
    conditions.map((one) => [one.type, one.status, one.reason, printable(one.message)]),
  );
