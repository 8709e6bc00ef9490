/** Headroom (N+1): for each node and zone, who would be homeless without it; kept up to date. */
import type { Heard } from '../../core/event.ts';
import { isPictured } from './decide.ts';
import { type Homeless, lossOf } from './headroom-loss.ts';
import { type Target, Targets } from './headroom-targets.ts';
import type { Slices } from './plan-rest.ts';
import type { World } from './world.ts';

export type { Homeless } from './headroom-loss.ts';
export type { Target } from './headroom-targets.ts';

/** So many nodes that nobody would miss are looked at in one step. */
const EASY = 100;

interface Work {
  readonly target: Target;
  readonly slices: Slices<readonly Homeless[]>;
}

export class Headroom {
  readonly #world: World;
  readonly #targets: Targets;
  /** Only targets that somebody would miss. */
  readonly #losses = new Map<Target, readonly Homeless[]>();
  #work: Work | undefined = undefined;
  /** When the first node that rests for an address may be asked again: time alone changes that. */
  #untilMs = Number.POSITIVE_INFINITY;

  constructor(world: World) {
    this.#world = world;
    this.#targets = new Targets(world);
  }

  /** To be called before and after the world learns an event: what it touches is computed anew. */
  before(heard: Heard): void {
    this.#targets.touch(heard);
  }

  after(heard: Heard): void {
    this.#targets.retouch(heard);
  }

  /** What is known: `node/NAME` or `zone/NAME` → who would have no node. */
  get losses(): ReadonlyMap<Target, readonly Homeless[]> {
    return this.#losses;
  }

  /** How many zones there are. */
  get zones(): number {
    return this.#targets.zones;
  }

  /** How many nodes and zones are to be computed anew. */
  get pending(): number {
    return this.#targets.pending + (this.#work === undefined ? 0 : 1);
  }

  /** Some milliseconds of work; false when all is up to date, or the world is not at rest. */
  step(): boolean {
    if (!isAtRest(this.#world)) return false;
    this.#seeTime();
    for (let easy = 0; easy < EASY; easy++) {
      this.#work ??= this.#next();
      if (this.#work === undefined) return false;
      const { target, slices } = this.#work;
      const next = slices.next();
      if (next.done !== true) return true;
      this.#work = undefined;
      if (next.value.length > 0) this.#losses.set(target, next.value);
      else this.#losses.delete(target);
    }
    return this.pending > 0;
  }

  #seeTime(): void {
    if (this.#world.nowMs < this.#untilMs) return;
    this.#untilMs = Number.POSITIVE_INFINITY;
    this.#targets.markAll();
  }

  #next(): Work | undefined {
    const target = this.#targets.take();
    if (target === undefined) return undefined;
    const hosts = this.#targets.hostsOf(target);
    for (const { tenants } of hosts)
      for (const { rests } of tenants.values())
        for (const { untilMs } of rests)
          if (untilMs > this.#world.nowMs) this.#untilMs = Math.min(this.#untilMs, untilMs);
    return { target, slices: lossOf(this.#world, hosts) };
  }
}

function isAtRest(world: World): boolean {
  const { stage, toJudge, toPlace, toTell } = world;
  return (
    isPictured(world) && stage === undefined && toJudge.size + toPlace.size + toTell.size === 0
  );
}
