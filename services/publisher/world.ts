/**
 * What the publisher remembers: every object, who holds which address, and what is to be written.
 */
import { parseAddress } from '../../core/address.ts';
import type { Saying } from '../../core/event.ts';
import type { Item } from '../../core/fact.ts';
import { type Claim, Claims } from './claims.ts';
import type { Difference } from './difference.ts';
import type { Managed } from './managed.ts';
import type { Noted } from './noted.ts';
import { Thing } from './object.ts';
import type { ResourceThing } from './resource.ts';
import { Routing } from './routing.ts';
import { Tally } from './tally.ts';

/** `shadow` writes nothing and tells what it would have written. */
export type Mode = 'enforce' | 'shadow';

/** Whatever is written in the cluster, except Kubernetes Events. */
export type Written = Thing | Claim | Managed | ResourceThing;

export class World {
  readonly mode: Mode;
  /** How long nothing must have been written before Events are recorded. */
  readonly quietMs: number;
  /** When the last write was done. */
  wroteMs = 0;
  /** It is waited for a quiet moment. */
  pausing = false;
  readonly egressIPs = new Map<string, Thing>();
  readonly nodes = new Map<string, Thing>();
  readonly claims = new Claims();
  /** Nodes that answered when they were probed last. */
  readonly reachable = new Set<string>();
  readonly tally = new Tally();
  readonly routing = new Routing();
  /** Unset until the API server was asked: nothing is written before. */
  statusSubresource: boolean | undefined = undefined;
  /** The first complete picture of the cluster was heard: what is not known is not there. */
  synced = false;
  cloud = false;
  /** When we last learned the time. */
  nowMs = 0;
  /** Canonical address → the EgressIPs whose status has it, or will once a write is accepted. */
  readonly holders = new Map<string, Set<Thing>>();
  /**
   * Address → the EgressIPs that had it, as far as facts tell. They may be late: an older one can
   * hide what we wrote since, so these are looked at before another one gets the address.
   */
  readonly formerHolders = new Map<string, Set<Thing>>();
  /** Address → the EgressIPs that may have it as soon as its holder let it go. */
  readonly waiters = new Map<string, Set<Thing>>();
  /** Things whose status may differ from what is wanted, in the order of becoming so. */
  readonly toWrite = new Set<Thing>();
  /** First statuses that wait for others to be written. */
  readonly toStart = new Set<Thing>();
  readonly toClaim = new Set<Claim>();
  /** Things with notices to record; they come after all writes. */
  readonly toTell = new Set<Noted>();
  /** Things that are not restored for a while. */
  readonly held = new Set<Thing>();
  /** Claims that we made and no fact showed yet. */
  readonly expected = new Set<Claim>();
  /** What we wrote and no fact showed yet: when it is looked at, and how often it was. */
  readonly unshown = new Map<Written, { readonly lookMs: number; readonly looks: number }>();
  readonly toLook = new Set<Written>();
  readonly looking = new Set<Written>();
  /** Shadow mode: what differs, by object. */
  readonly differing = new Map<Noted | Claim | Managed, readonly Difference[]>();
  readonly says: Saying[] = [];
  writes = 0;
  /** First statuses under way. */
  starting = 0;
  claiming = 0;
  tells = 0;
  waiting = false;
  #serial = 0;

  constructor(mode: Mode = 'enforce', quietMs = 0) {
    this.mode = mode;
    this.quietMs = quietMs;
  }

  thing(kind: 'egressip' | 'node', name: string): Thing {
    const map = kind === 'egressip' ? this.egressIPs : this.nodes;
    const known = map.get(name);
    if (known !== undefined) return known;
    const thing = new Thing(kind, name);
    map.set(name, thing);
    return thing;
  }

  /** Distinguishes notices of our own that are of the same millisecond. */
  nextSerial(): string {
    return `p${(++this.#serial).toString(16)}`;
  }

  /** Something about the claim changed: it is looked at again, and so is who has or wants it. */
  stir(claim: Claim): void {
    this.toClaim.add(claim);
    if (claim.asker !== undefined) this.toWrite.add(claim.asker);
    for (const holder of this.holders.get(claim.address) ?? []) this.toWrite.add(holder);
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
    return new Set(items.map(({ egressIP }) => canonical(egressIP)));
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
      const former = this.formerHolders.get(address) ?? new Set();
      if (thing.uid !== '') this.formerHolders.set(address, former.add(thing));
      const claim = this.claims.known(address);
      if (claim !== undefined) this.toClaim.add(claim);
      for (const waiter of this.waiters.get(address) ?? []) this.toWrite.add(waiter);
      this.waiters.delete(address);
    }
  }
}

/** A stranger may have written an address in another spelling. */
export const canonical = (text: string): string => parseAddress(text)?.text ?? text;
