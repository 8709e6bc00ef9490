/** Brings a world to rest: the shipped rules decide, the cluster follows, until nothing is new. */
import { assert } from '../../core/assert.ts';
import { decide } from './decide.ts';
import { supposed } from './explain-picture.ts';
import { fold } from './fold.ts';
import { follow } from './plan-follow.ts';
import type { World } from './world.ts';

/** `EgressIP address` → why the address left its node, half a sentence. */
export type Reasons = ReadonlyMap<string, string>;

export interface Rested {
  /** How much there was to say at first, before the cluster followed. */
  readonly says: number;
  readonly reasons: Reasons;
}

/**
 * Decisions and what follows them alternate at most so often; a probe or a claim takes one or two.
 */
const MOST_ROUNDS = 100;

export function rest(world: World): Rested {
  const reasons = new Map<string, string>();
  const says = settleNoting(world, reasons);
  for (let round = 0; ; round++) {
    const facts = follow(world);
    if (facts.length === 0) return { says, reasons };
    assert(round < MOST_ROUNDS, 'a cluster that follows its decisions comes to rest');
    for (const fact of facts) fold(world, supposed(fact));
    settleNoting(world, reasons);
  }
}

/** Decides to the end; how much there was to say. */
function settleNoting(world: World, reasons: Map<string, string>): number {
  let says = 0;
  for (let more = world.probing !== undefined; more; ) {
    note(world, reasons);
    const turn = decide(world);
    says += turn.says.length;
    more = turn.more;
  }
  return says;
}

/** Once all are seated and before it is told, claims know why they lost what they had. */
function note(world: World, reasons: Map<string, string>): void {
  const { toJudge, toPlace, toTell, stage } = world;
  if (stage !== undefined || toJudge.size > 0 || toPlace.size > 0) return;
  for (const claim of toTell)
    for (const [address, { because }] of claim.losses)
      reasons.set(`${claim.name} ${address}`, because);
}
