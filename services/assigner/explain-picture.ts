/** What the log says now, an event per thing, and the assigner's world folded from any part. */
import type { Fact } from '../../core/fact.ts';
import type { Heard, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { decide } from './decide.ts';
import { fold } from './fold.ts';
import type { Settings } from './input.ts';
import { World } from './world.ts';

export class Picture {
  readonly settings: Settings;
  /** Speaker, kind and name → the last that was said of it. */
  readonly #latest = new Map<string, Heard>();
  #world: World | undefined = undefined;
  #settled: { readonly world: World; readonly says: number } | undefined = undefined;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Learns an event; an older one than the one known of the same thing changes nothing. */
  hear(heard: Heard): void {
    const { kind, name } = topicOf(heard.event);
    const key = keyOf(heard.stream, kind, name);
    const known = this.#latest.get(key);
    if (known !== undefined && known.sequence >= heard.sequence) return;
    this.#latest.set(key, heard);
    this.#world = undefined;
    this.#settled = undefined;
  }

  latest(stream: Speaker, kind: string, name: string): Heard | undefined {
    return this.#latest.get(keyOf(stream, kind, name));
  }

  [Symbol.iterator](): Iterator<Heard> {
    return this.#latest.values();
  }

  /** The world as it is on the log; for looking at only. */
  get world(): World {
    this.#world ??= this.fold(this);
    return this.#world;
  }

  /** The world as the shipped rules would have it, and how much they have yet to say. */
  get settled(): { readonly world: World; readonly says: number } {
    if (this.#settled === undefined) {
      const world = this.fold(this);
      this.#settled = { says: settle(world), world };
    }
    return this.#settled;
  }

  /** A world of its own from some events, facts first, each speaker's in the order of saying. */
  fold(events: Iterable<Heard>): World {
    const world = new World(this.settings);
    const inOrder = [...events].sort(
      (a, b) => rank(a.stream) - rank(b.stream) || a.sequence - b.sequence,
    );
    for (const heard of inOrder) fold(world, heard);
    for (const use of [...world.uses.toCount]) world.recount(use);
    return world;
  }

  /** The facts of a node: itself, and what its probe found. */
  factsOf(node: string): readonly Heard[] {
    const facts = [this.latest('watcher', 'node', node), this.latest('watcher', 'probe', node)];
    return facts.filter((heard) => heard !== undefined);
  }
}

const keyOf = (stream: string, kind: string, name: string): string => `${stream} ${kind} ${name}`;

const rank = (stream: Speaker): number => ['watcher', 'assigner', 'publisher'].indexOf(stream);

/** Lets the shipped rules decide to the end; how much there was to say. 0 = the log is at rest. */
export function settle(world: World): number {
  let says = 0;
  for (let more = true; more; ) {
    const turn = decide(world);
    says += turn.says.length;
    more = turn.more;
  }
  return says;
}

/** A fact that nobody said, for trying what would follow from it: later than all that was said. */
export function supposed(event: Fact): Heard {
  const sequence = Number.MAX_SAFE_INTEGER;
  return { stream: 'watcher', sequence, atMs: 0, causes: [], said: '', event };
}
