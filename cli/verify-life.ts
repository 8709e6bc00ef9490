/** A life of a room, lived again: the same facts, the same turns, what it concludes. */
import type { Heard, Saying, Speaker } from '../core/event.ts';
import type { Room } from '../core/room.ts';
import { PART } from '../edge/life.ts';
import type { Bounds } from './verify-bounds.ts';
import type { Shelf } from './verify-shelf.ts';

export class Relife<World, Input, Act> {
  readonly #room: Room<World, Input, Act>;
  readonly #shelves: ReadonlyMap<Speaker, Shelf>;
  readonly #world: World;
  /** What it concluded in its last turn and was not found on the log yet. */
  readonly unsaid: Saying[] = [];

  /**
   * Begins with what a reader of the log would have been given at that point: nothing of a stream
   * that was lost and made anew, and on which nobody had spoken again. `anew` = so was its own.
   */
  constructor(
    room: Room<World, Input, Act>,
    shelves: ReadonlyMap<Speaker, Shelf>,
    begun: Bounds,
    anew: boolean,
  ) {
    this.#room = room;
    this.#shelves = shelves;
    this.#world = room.fresh();
    for (const [stream, sequence] of begun) shelves.get(stream)?.advance(sequence);
    for (const stream of room.hears) {
      const isEmpty = stream === room.name ? anew : begun.get(stream) === 0;
      if (isEmpty) continue;
      for (const heard of shelves.get(stream)?.last() ?? []) room.fold(this.#world, heard);
    }
  }

  /** One turn, or the part of a large one that was spoken together. */
  think(bounds: Bounds, atMs: number): void {
    for (const [stream, sequence] of bounds)
      this.#shelves.get(stream)?.advance(sequence, (heard) => this.#room.fold(this.#world, heard));
    this.#room.reach?.(this.#world, atMs);
    for (let more = true; more && this.unsaid.length < PART; ) {
      const turn = this.#room.decide(this.#world);
      this.unsaid.push(...turn.says);
      more = turn.more;
    }
  }

  /** The first of what is unsaid stands on the log, there: the life hears itself. */
  say({ stream, sequence, atMs }: Heard): void {
    const saying = this.unsaid.shift();
    if (saying !== undefined) this.#room.fold(this.#world, { ...saying, stream, sequence, atMs });
  }
}
