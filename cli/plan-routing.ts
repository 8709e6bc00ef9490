/** What a change would have bgp decide at once, by the shipped rules on a copy of the log. */
import type { Phase } from '../core/bgp-decision.ts';
import type { Heard } from '../core/event.ts';
import type { Fact } from '../core/fact.ts';
import { BgpPicture } from '../services/bgp/explain-picture.ts';
import { unheard } from '../services/bgp/kinds.ts';
import { bgp } from '../services/bgp/room.ts';
import type { ObjectDecided, World } from '../services/bgp/world.ts';
import { type Differing, differs } from '../services/publisher/managed-compare.ts';
import { exit, Failure } from './failure.ts';

/** How an object would be decided on otherwise. */
export interface ObjectShift {
  /** `frrconfiguration/cudn-bgp-az-1`. */
  readonly object: string;
  readonly what: 'made' | 'changed' | 'deleted' | 'let go';
  /** Of one that is changed. */
  readonly differing: readonly Differing[];
  readonly because: string;
}

/** How a CUDNBgpConfig or CUDNBgpRouting would stand otherwise; '' = there is none. */
export interface PhaseShift {
  readonly resource: string;
  readonly from: Phase | '';
  readonly to: Phase | '';
  readonly because: string;
}

export interface RoutingPlan {
  readonly objects: readonly ObjectShift[];
  readonly phases: readonly PhaseShift[];
}

const room = bgp();

/** Throws Failure 69 when the log does not have the first complete picture yet. */
export function routingPlanOf(
  log: Iterable<Heard>,
  facts: readonly Fact[],
  nowMs: number,
): RoutingPlan {
  const events = [...log];
  const [before, after] = [settled(events, [], nowMs), settled(events, facts, nowMs)];
  const keys = new Set([...before.objectsDecided.keys(), ...after.objectsDecided.keys()]);
  return {
    objects: [...keys].toSorted().flatMap((key) => {
      const [was, is] = [before.objectsDecided.get(key), after.objectsDecided.get(key)];
      return is === undefined ? [] : objectShift(was, is);
    }),
    phases: [
      ...phaseShifts('cudnbgpconfig', before.configsDecided, after.configsDecided),
      ...phaseShifts('cudnbgprouting', before.routingsDecided, after.routingsDecided),
    ],
  };
}

function settled(events: readonly Heard[], facts: readonly Fact[], nowMs: number): World {
  const picture = new BgpPicture();
  const [sequence, said] = [Number.MAX_SAFE_INTEGER, ''];
  for (const heard of events) picture.hear(heard);
  for (const event of facts)
    picture.hear({ stream: 'watcher', sequence, atMs: nowMs, causes: [], said, event });
  const { world } = picture;
  const waits = unheard(world);
  if (waits !== '')
    throw new Failure(exit.unavailable, `bgp has no picture of the cluster: it waits for ${waits}`);
  world.reach(nowMs);
  for (let more = true; more; ) {
    const turn = room.decide(world);
    for (const { event } of turn.says)
      room.fold(world, { stream: 'bgp', sequence, atMs: nowMs, causes: [], said, event });
    ({ more } = turn);
  }
  return world;
}

const words = { present: 'made', absent: 'deleted', untouched: 'let go' } as const;

function objectShift(was: ObjectDecided | undefined, is: ObjectDecided): readonly ObjectShift[] {
  const object = `${is.object.toLowerCase()}/${is.name}`;
  const { want, because } = is;
  if (was?.want !== want) {
    // What was never wanted is not deleted either.
    if (want !== 'present' && was?.want !== 'present') return [];
    return [{ object, what: words[want], differing: [], because }];
  }
  if (want !== 'present') return [];
  const { labels, dropped, spec } = is;
  const differing = differs(was, { labels, dropped, spec, accepted: '' });
  return differing.length === 0 ? [] : [{ object, what: 'changed', differing, because }];
}

type Decided = World['configsDecided'] | World['routingsDecided'];

function phaseShifts(kind: string, before: Decided, after: Decided): readonly PhaseShift[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].toSorted().flatMap((name) => {
    const [from, to] = [before.get(name)?.phase ?? '', after.get(name)?.phase ?? ''] as const;
    if (from === to) return [];
    const wrong = after.get(name)?.conditions.find(({ status }) => status !== 'True');
    return { resource: `${kind}/${name}`, from, to, because: wrong?.message ?? '' };
  });
}
