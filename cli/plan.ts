/** `sluice plan`: what a change would do to the egress IPs, by the shipped rules, with no write. */
import type { Heard } from '../core/event.ts';
import { isPictured } from '../services/assigner/decide.ts';
import { type Plan, planOf } from '../services/assigner/plan.ts';
import { Picture } from '../services/assigner/explain-picture.ts';
import type { Settings } from '../services/assigner/input.ts';
import { exit, Failure } from './failure.ts';
import { change, type Changes } from './plan-changes.ts';
import { Draft } from './plan-draft.ts';
import { applyFile } from './plan-file.ts';
import { type RoutingPlan, routingPlanOf } from './plan-routing.ts';
import { routingText } from './plan-routing-text.ts';
import { recordOf, textOf } from './plan-text.ts';
import { readToEnd, type Readable } from './read.ts';
import type { Terminal } from './terminal.ts';

export interface PlanAsk extends Changes {
  readonly files: readonly string[];
  readonly output: 'table' | 'json';
  readonly settings: Settings;
}

/** An address that has a node now would have none, or a network would not be routed as it is. */
export const WOULD_BE_HOMELESS = 2;

/**
 * Exit code 2 when an address that has a node now would have none, or a resource of BGP routing
 * that is Ready would be Degraded, else 0. Throws Failure 64 when
 * nothing is asked or something is not there, 69 when the log is not complete.
 */
export async function plan(log: Readable, ask: PlanAsk, terminal: Terminal): Promise<number> {
  const { files, output } = ask;
  requireChange(ask);
  const { picture, heard } = await pictureOf(log, ask.settings, terminal.signal);
  const draft = new Draft(picture);
  for (const file of files) await applyFile(draft, file, terminal.nowMs());
  change(draft, ask);
  const { asks, facts } = draft;
  const nowMs = terminal.nowMs();
  const found = planOf(picture, facts, nowMs);
  const routing = asks.routing ? routingPlanOf(heard, facts, nowMs) : undefined;
  const texts = [
    asks.egress || routing === undefined ? textOf(found) : '',
    routing === undefined ? '' : routingText(routing),
  ];
  const record = { ...recordOf(found), ...(routing !== undefined && { routing }) };
  terminal.out(output === 'json' ? `${JSON.stringify(record, null, 2)}\n` : texts.join(''));
  return isSafe(found) && !wouldDegrade(routing) ? exit.fine : WOULD_BE_HOMELESS;
}

/** Throws Failure 64 when nothing is asked. */
export function requireChange(ask: PlanAsk): void {
  const asked = [ask.lose, ask.label, ask.unlabel, ask.delete, ask.files];
  if (asked.every(({ length }) => length === 0))
    throw new Failure(exit.usage, 'what would change? Try: sluice plan --lose node/NAME');
}

/** A resource that is Ready now would be Degraded. */
const wouldDegrade = (routing: RoutingPlan | undefined): boolean =>
  routing?.phases.some(({ from, to }) => from === 'Ready' && to === 'Degraded') === true;

const isSafe = ({ shifts }: Plan): boolean => !shifts.some(({ what }) => what === 'homeless');

/** A guard must not say that all is fine of a cluster that it has seen half of. */
async function pictureOf(
  log: Readable,
  settings: Settings,
  signal: AbortSignal,
): Promise<{ readonly picture: Picture; readonly heard: readonly Heard[] }> {
  const picture = new Picture(settings);
  const heard: Heard[] = [];
  const streams = ['watcher', 'assigner', 'aws-sync', 'bgp'] as const;
  const last = { streams, from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, signal)) {
    heard.push(read);
    if (read.stream === 'watcher' || read.stream === 'assigner') picture.hear(read);
  }
  if (isPictured(picture.world)) return { picture, heard };
  throw new Failure(
    exit.unavailable,
    'the first complete picture of the cluster is not on the log yet. See: sluice status',
  );
}
