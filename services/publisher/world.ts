/** What the publisher remembers: every object, who holds which address, and what is to be written. */
import type { Item } from '../../core/fact.ts';
import type { Saying } from '../../core/event.ts';
import { Thing } from './object.ts';

export class World {
  readonly egressIPs = new Map<string, Thing>();
  readonly nodes = new Map<string, Thing>();
  /** Unset until the API server was asked: nothing is written before. */
  statusSubresource: boolean | undefined = undefined;
  /** Address → the EgressIPs whose status has it, or will when a write in flight is accepted. */
  readonly holders = new Map<string, Set<Thing>>();
  /** Address → the EgressIPs that may have it as soon as its holder let it go. */
  readonly waiters = new Map<string, Set<Thing>>();
  /** Things whose status may differ from what is wanted, in the order of becoming so. */
  readonly toWrite = new Set<Thing>();
  /** Things with notices to record; they come after all writes. */
  readonly toTell = new Set<Thing>();
  readonly says: Saying[] = [];
  writes = 0;
  tells = 0;

  thing(kind: 'egressip' | 'node', name: string): Thing {
    const map = kind === 'egressip' ? this.egressIPs : this.nodes;
    const known = map.get(name);
    if (known !== undefined) return known;
    const thing = new Thing(kind, name);
    map.set(name, thing);
    return thing;
  }

  /** The cluster has these items on the object now. */
  setItems(thing: Thing, items: readonly Item[]): void {
    const before = this.#held(thing);
    thing.items = items;
    this.#compare(thing, before);
  }

  setWriting(thing: Thing, writing: Thing['writing']): void {
    const before = this.#held(thing);
    thing.writing = writing;
    this.#compare(thing, before);
  }

  #held(thing: Thing): ReadonlySet<string> {
    const items = [...thing.items, ...(thing.writing?.items ?? [])];
    return new Set(items.map(({ egressIP }) => egressIP));
  }

  #compare(thing: Thing, before: ReadonlySet<string>): void {
    const after = this.#held(thing);
    for (const address of after) {
      const holders = this.holders.get(address) ?? new Set();
      this.holders.set(address, holders.add(thing));
    }
    for (const address of before.difference(after)) {
      const holders = this.holders.get(address);
      holders?.delete(thing);
      if (holders?.size === 0) this.holders.delete(address);
      for (const waiter of this.waiters.get(address) ?? []) this.toWrite.add(waiter);
      this.waiters.delete(address);
    }
  }

  /**
   * The wanted items less those that another object still has: an address leaves one status before
   * it enters another's. The thing is told when such an address becomes free. What stands in its own
   * status already stays there, whatever a stranger wrote into another's.
   */
  allowed(thing: Thing, wanted: readonly Item[]): readonly Item[] {
    const own = new Set(thing.items.map(({ egressIP }) => egressIP));
    return wanted.filter(({ egressIP }) => {
      if (own.has(egressIP)) return true;
      const holders = this.holders.get(egressIP);
      const other = holders !== undefined && [...holders].some((holder) => holder !== thing);
      if (!other) return true;
      const waiters = this.waiters.get(egressIP) ?? new Set();
      this.waiters.set(egressIP, waiters.add(thing));
      return false;
    });
  }
}
