/** Puts what was found into decisions; what was said already is not said again. */
import type { BgpDecision, Phase } from '../../core/bgp-decision.ts';
import type { BgpConfig, BgpRouting } from '../../core/bgp-fact.ts';
import { canonicalJson } from '../../core/canonical.ts';
import type { Cause, Saying } from '../../core/event.ts';
import type { Judged, Waits } from './condition.ts';
import { noticesOf, type Standing, whyOf } from './notices.ts';
import type { Want } from './want.ts';
import { type ConfigDecided, keyOf, type RoutingDecided, type World } from './world.ts';

export interface Stands {
  readonly judged: readonly Judged[];
  readonly phase: Phase;
  readonly finalizer: boolean;
  readonly wasReady: boolean;
  readonly waits: Waits;
}

export function tellObject(world: World, want: Want, causes: readonly Cause[]): readonly Saying[] {
  const before = world.objectsDecided.get(keyOf(want.object, want.name));
  const event: BgpDecision = { kind: 'ObjectDecided', ...want };
  if (before !== undefined && textOf(before) === canonicalJson(event)) return [];
  return [{ event, causes, said: objectWords(want) }];
}

function objectWords({ want, because, dropped }: Want): string {
  const words = { present: 'is to be there', absent: 'is to go', untouched: 'is left alone' };
  const without = dropped.length === 0 ? '' : `, without ${dropped.join(', ')}`;
  return `${words[want]}${without}: ${because}`;
}

export function tellConfig(
  world: World,
  config: BgpConfig,
  before: ConfigDecided | undefined,
  stands: Stands,
  causes: readonly Cause[],
): readonly Saying[] {
  const event: ConfigDecided = {
    kind: 'BgpConfigDecided',
    ...level(world, config, stands, before),
  };
  return isSaid(before, event) ? [] : [{ event, causes, said: wordsOf(event) }];
}

export function tellRouting(
  world: World,
  routing: BgpRouting,
  before: RoutingDecided | undefined,
  { holds, ...stands }: Stands & { readonly holds: boolean },
  causes: readonly Cause[],
): readonly Saying[] {
  const { network } = routing;
  const event: RoutingDecided = {
    ...{ kind: 'BgpRoutingDecided', ...level(world, routing, stands, before), network, holds },
  };
  return isSaid(before, event) ? [] : [{ event, causes, said: wordsOf(event) }];
}

type Decided = ConfigDecided | RoutingDecided;

function level(
  world: World,
  { name, uid, generation, deleting }: BgpConfig | BgpRouting,
  { judged, phase, finalizer, wasReady, waits }: Stands,
  before: Decided | undefined,
) {
  const conditions = judged.map(({ condition }) => condition);
  const sinceMs = before?.phase === phase ? before.sinceMs : world.nowMs;
  const notices = noticesOf(before, { phase, conditions }, deleting);
  const stands = { phase, conditions, finalizer, wasReady, sinceMs, notices, waits: waits.list() };
  return { name, uid, generation, ...stands };
}

/** Notices tell of a transition: they are no part of what stands. */
function isSaid(before: Decided | undefined, now: Decided): boolean {
  if (before === undefined) return false;
  return textOf(before) === comparable(now);
}

const comparable = (one: BgpDecision): string =>
  canonicalJson('notices' in one ? { ...one, waits: one.waits ?? [], notices: [] } : one);

/** What was said is compared again and again, and never changes. */
const texts = new WeakMap<BgpDecision, string>();

function textOf(said: BgpDecision): string {
  const text = texts.get(said) ?? comparable(said);
  texts.set(said, text);
  return text;
}

function wordsOf(now: Standing): string {
  const why = whyOf(now);
  return `${now.phase}${why === '' ? '' : `: ${why}`}`;
}
