/** `sluice plan`: what a change would do to the egress IPs, by the shipped rules, with no write. */
import { isPictured } from '../services/assigner/decide.ts';
import { type Plan, planOf } from '../services/assigner/plan.ts';
import { Picture } from '../services/assigner/explain-picture.ts';
import type { Settings } from '../services/assigner/input.ts';
import { exit, Failure } from './failure.ts';
import { change, type Changes } from './plan-changes.ts';
import { Draft } from './plan-draft.ts';
import { applyFile } from './plan-file.ts';
import { recordOf, textOf } from './plan-text.ts';
import { readToEnd, type Readable } from './read.ts';
import type { Terminal } from './terminal.ts';

export interface PlanAsk extends Changes {
  readonly files: readonly string[];
  readonly output: 'table' | 'json';
  readonly settings: Settings;
}

/** An address that has a node now would have none. */
export const WOULD_BE_HOMELESS = 2;

/**
 * Exit code 2 when an address that has a node now would have none, else 0. Throws Failure 64 when
 * nothing is asked or something is not there, 69 when the log is not complete.
 */
export async function plan(log: Readable, ask: PlanAsk, terminal: Terminal): Promise<number> {
  const { files, output } = ask;
  requireChange(ask);
  const picture = await pictureOf(log, ask.settings, terminal.signal);
  const draft = new Draft(picture);
  for (const file of files) await applyFile(draft, file, terminal.nowMs());
  change(draft, ask);
  const found = planOf(picture, draft.facts, terminal.nowMs());
  terminal.out(output === 'json' ? `${JSON.stringify(recordOf(found), null, 2)}\n` : textOf(found));
  return isSafe(found) ? exit.fine : WOULD_BE_HOMELESS;
}

/** Throws Failure 64 when nothing is asked. */
export function requireChange(ask: PlanAsk): void {
  const asked = [ask.lose, ask.label, ask.unlabel, ask.delete, ask.files];
  if (asked.every(({ length }) => length === 0))
    throw new Failure(exit.usage, 'what would change? Try: sluice plan --lose node/NAME');
}

const isSafe = ({ shifts }: Plan): boolean => !shifts.some(({ what }) => what === 'homeless');

/** A guard must not say that all is fine of a cluster that it has seen half of. */
async function pictureOf(log: Readable, settings: Settings, signal: AbortSignal): Promise<Picture> {
  const picture = new Picture(settings);
  const last = { streams: ['watcher', 'assigner'], from: 'last-per-subject' } as const;
  for await (const read of readToEnd(log, last, signal)) picture.hear(read);
  if (isPictured(picture.world)) return picture;
  throw new Failure(
    exit.unavailable,
    'the first complete picture of the cluster is not on the log yet. See: sluice status',
  );
}
