/** What the log says of BGP routing now: the last word on each subject, and bgp's world from it. */
import type { Heard, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { fold } from './fold.ts';
import { World } from './world.ts';

/** In the order in which a world must hear them. */
const ranks: readonly Speaker[] = ['watcher', 'aws-sync', 'bgp', 'publisher'];

export class BgpPicture {
  readonly #latest = new Map<string, Heard>();
  #world: World | undefined = undefined;

  /** Learns an event; an older one than the one known of the same thing changes nothing. */
  hear(heard: Heard): void {
    if (!ranks.includes(heard.stream)) return;
    const { kind, name } = topicOf(heard.event);
    const key = `${heard.stream} ${kind} ${name}`;
    const known = this.#latest.get(key);
    if (known !== undefined && known.sequence >= heard.sequence) return;
    this.#latest.set(key, heard);
    this.#world = undefined;
  }

  latest(stream: Speaker, kind: string, name: string): Heard | undefined {
    return this.#latest.get(`${stream} ${kind} ${name}`);
  }

  [Symbol.iterator](): Iterator<Heard> {
    return this.#latest.values();
  }

  /** The world as it is on the log; for looking at only. */
  get world(): World {
    if (this.#world !== undefined) return this.#world;
    const world = new World();
    const inOrder = [...this].sort(
      (a, b) => ranks.indexOf(a.stream) - ranks.indexOf(b.stream) || a.sequence - b.sequence,
    );
    for (const heard of inOrder) fold(world, heard);
    this.#world = world;
    return world;
  }
}
