/**
 * A change of ASN or liveness detection, zone by zone and endpoint by endpoint (`docs/aws.md`):
 * peers cannot be changed, only replaced, and a zone keeps a session meanwhile.
 */
import type { BgpConfig } from '../../core/bgp-fact.ts';
import { type Bank, banksOf, isBegun, isDone, isUp } from './banks.ts';
import type { Group } from './groups.ts';
import type { Region } from './region.ts';
import { type Attributes, differs } from './verdict.ts';
import type { Wish } from './wishes.ts';
import type { World } from './world.ts';

export interface Stage {
  /** What the peers of the group expect of its nodes now. */
  readonly effective: Attributes;
  /** Endpoints whose peers may be replaced now. */
  readonly replaceable: ReadonlySet<string>;
  /** When there is more to do, though nothing else happens. */
  readonly nextMs: number;
}

/** By group. At most one group is in change at any time. */
export function stagesOf(
  world: World,
  config: BgpConfig,
  region: Region,
  groups: readonly Group[],
  wishes: readonly Wish[],
): ReadonlyMap<string, Stage> {
  const target = { asn: config.localASN, liveness: config.livenessDetection };
  const banks = new Map(
    groups.map((group) => [group.key, banksOf(world, region, target, group, wishes)]),
  );
  const keys = [...banks.keys()];
  const active =
    keys.find((key) => isUnderWay(world, banks.get(key) ?? [], key)) ??
    keys.find((key) => (banks.get(key) ?? []).some(({ old }) => old.length > 0));
  return new Map(
    keys.map((key) => {
      const own = banks.get(key) ?? [];
      const effective = effectiveOf(world, own, key, target);
      if (key !== active) return [key, { effective, replaceable: none, nextMs: Infinity }];
      return [key, { effective, ...turnOf(world, own, key, effective) }];
    }),
  );
}

const none: ReadonlySet<string> = new Set();

/** Some of it was replaced, some not; or it has just been, and is not up again. */
function isUnderWay(world: World, banks: readonly Bank[], key: string): boolean {
  const isMixed = banks.some(({ old }) => old.length > 0) && banks.some(isBegun);
  if (isMixed) return true;
  const sinceMs = world.effectiveMs.get(key);
  const isYoung = sinceMs !== undefined && world.nowMs - sinceMs < world.settings.times.sessionMs;
  return isYoung && banks.some((bank) => bank.wished.length > 0 && !isDone(bank));
}

function effectiveOf(
  world: World,
  banks: readonly Bank[],
  key: string,
  target: Attributes,
): Attributes {
  const old = banks.flatMap((bank) => bank.old);
  if (old.length === 0 || banks.some(isDone)) return target;
  const [first] = old;
  const toldIs = toldOf(world, key);
  if (toldIs !== undefined && old.some((peer) => !differs(peer, toldIs))) return toldIs;
  return first === undefined ? target : { asn: first.asn, liveness: first.liveness };
}

/** What the nodes of the group were told last that their peers expect. */
function toldOf(world: World, key: string): Attributes | undefined {
  const told = world.lastTold('NeighborsSeen', 'neighbors/cluster');
  const group = told?.groups.find((one) => one.key === key);
  return group && { asn: group.localASN, liveness: group.livenessDetection };
}

/** Since when they are told what they are told now; what is about to be told is news. */
function sinceMsOf(world: World, key: string, { asn, liveness }: Attributes): number {
  const told = toldOf(world, key);
  const isTold = told?.asn === asn && told.liveness === liveness;
  return (isTold ? world.effectiveMs.get(key) : undefined) ?? world.nowMs;
}

/**
 * Whose peers may be replaced now: one endpoint's, and the next one's when the first one's work.
 */
function turnOf(
  world: World,
  banks: readonly Bank[],
  key: string,
  effective: Attributes,
): Omit<Stage, 'effective'> {
  const left = banks.filter(({ old }) => old.length > 0);
  const next = left.toSorted((a, b) => a.old.length - b.old.length)[0];
  if (next === undefined) return { replaceable: none, nextMs: Infinity };
  const replaceable = new Set([next.endpoint]);
  const done = banks.filter(isDone);
  if (done.length === 0) {
    const begun = banks.find((bank) => bank !== next && bank.old.length === 0 && isBegun(bank));
    return { replaceable: begun === undefined ? replaceable : none, nextMs: Infinity };
  }
  const untilMs = sinceMsOf(world, key, effective) + world.settings.times.sessionMs;
  const works = done.some((bank) => isUp(world, bank));
  return works || untilMs <= world.nowMs
    ? { replaceable, nextMs: Infinity }
    : { replaceable: none, nextMs: untilMs };
}
