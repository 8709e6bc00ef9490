/** Brings a world to rest: the shipped rules decide, the cluster follows, until nothing is new. */
import { assert } from '../../core/assert.ts';
import { decide, isPictured } from './decide.ts';
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

/** Work in slices of some milliseconds: whoever runs it may breathe after each. */
export type Slices<T> = Generator<void, T, void>;

/** All slices at once. */
export function whole<T>(slices: Slices<T>): T {
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
  }
}

/** Decisions and what follows them alternate at most so often; a probe or a claim takes two. */
const MOST_ROUNDS = 100;
/** Facts learned in one slice. */
const SLICE = 200;

export function* rest(world: World): Slices<Rested> {
  const reasons = new Map<string, string>();
  const says = yield* settle(world, reasons);
  for (let round = 0; ; round++) {
    const facts = follow(world);
    yield;
    if (facts.length === 0) return { says, reasons };
    assert(round < MOST_ROUNDS, 'a cluster that follows its decisions comes to rest');
    for (const [index, fact] of facts.entries()) {
      if (index % SLICE === SLICE - 1) yield;
      fold(world, supposed(fact));
    }
    yield* settle(world, reasons);
  }
}

/** Decides to the end; how much there was to say. */
function* settle(world: World, reasons: Map<string, string>): Slices<number> {
  let says = 0;
  for (let more = isPictured(world); more; ) {
    note(world, reasons);
    const turn = decide(world);
    says += turn.says.length;
    more = turn.more;
    yield;
  }
  return says;
}

/** Once all are seated and before it is told, claims know why they lost what they had. */
function note({ toJudge, toPlace, toTell, stage }: World, reasons: Map<string, string>): void {
  if (stage !== undefined || toJudge.size > 0 || toPlace.size > 0) return;
  for (const { name, losses } of toTell)
    for (const [address, { because }] of losses) reasons.set(`${name} ${address}`, because);
}
