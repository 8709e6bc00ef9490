/** All objects of one kind as they are seen now, beside what was told of them. */
import type { KubeObject } from '../../core/door.ts';
import type { Fact } from '../../core/fact.ts';
import type { Kind, Thing } from './kinds.ts';
import { same } from '../../core/same.ts';

/** So often a kind that was served is missed before it counts as gone: the door looks again. */
export const LOOKS = 2;

export interface News {
  readonly event: Fact;
  readonly said: string;
}

/** Each change returns the names that it touched. */
export class Shelf<T extends Thing> {
  readonly kind: Kind<T>;
  readonly things = new Map<string, T>();
  /** Written objects that were something else for a moment since they were told of. */
  readonly #passing = new Set<string>();
  /** Written objects that came and went before they were told of: the publisher made them. */
  readonly #buried = new Map<string, string>();
  /** The complete picture was seen; before it nothing can be said to be gone. */
  listed = false;
  /** How often in a row the server was seen not to serve the kind. */
  missed = 0;

  constructor(kind: Kind<T>) {
    this.kind = kind;
  }

  /** The complete picture: whatever is not in it does not exist (any more). */
  list(objects: readonly KubeObject[]): readonly string[] {
    const now = new Set(objects.map(({ metadata }) => metadata.name));
    const lost = [...this.things.keys()].filter((name) => !now.has(name));
    for (const name of lost) this.#bury(name);
    this.listed = true;
    this.missed = 0;
    return [...lost, ...objects.flatMap((object) => this.put(object))];
  }

  put(object: KubeObject): readonly string[] {
    const thing = this.kind.project(object);
    if (thing === undefined) return this.#leave(object.metadata.name);
    const before = this.things.get(thing.name);
    if (this.kind.written === true && before !== undefined && !same(before, thing))
      this.#passing.add(thing.name);
    this.things.set(thing.name, thing);
    return [thing.name];
  }

  /**
   * The server does not serve the kind. A starting one answers so for a while; missed for the
   * second time, an announced kind counts as gone, and all its objects with it.
   */
  miss(): readonly string[] {
    this.missed++;
    if (this.kind.announced !== true || this.missed < LOOKS) return [];
    const lost = [...this.things.keys()];
    this.things.clear();
    this.listed = true;
    return lost;
  }

  /** What it is now means nothing to anybody; what it was may be told. */
  #leave(name: string): readonly string[] {
    this.things.delete(name);
    return [name];
  }

  #bury(name: string): void {
    const known = this.things.get(name);
    if (this.kind.written === true && known !== undefined) this.#buried.set(name, known.uid);
    this.things.delete(name);
  }

  /** A late word about an object that was replaced since says nothing of the new one. */
  lose(name: string, uid: string): readonly string[] {
    const known = this.things.get(name);
    if (known === undefined || known.uid !== uid) return [];
    this.#bury(name);
    return [name];
  }

  /** How what is seen differs from what was told; undefined when it does not. */
  news(name: string, told: Fact | undefined): News | undefined {
    if (!this.listed) return undefined;
    const { kind } = this;
    const before = kind.toldBy(told);
    const now = this.things.get(name);
    const passed = this.#passing.delete(name);
    const buried = this.#buried.get(name);
    this.#buried.delete(name);
    if (now === undefined) {
      const uid = before?.uid ?? buried;
      const gone = uid === undefined ? undefined : kind.gone(name, uid);
      // A list of the past showed it once more; that it is gone was told before.
      if (gone === undefined || same(told, gone)) return undefined;
      return { event: gone, said: 'is gone' };
    }
    if (same(before, now))
      return passed ? { event: kind.seen(now), said: 'is again as it was' } : undefined;
    return { event: kind.seen(now), said: kind.news(before, now) };
  }
}
