/** Nodes and zones that could be lost, and which of them are to be computed anew after an event. */
import type { Heard } from '../../core/event.ts';
import { claimOf, nodeOf, roomOf } from './headroom-touch.ts';
import type { Host } from './host.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

/** `node/NAME` or `zone/NAME`. */
export type Target = string;

export const ZONE = 'topology.kubernetes.io/zone';

export class Targets {
  readonly #world: World;
  readonly #dirty = new Set<Target>();
  /** They come last: each of them is more work. */
  readonly #dirtyZones = new Set<Target>();
  /** Zone → its nodes that exist. */
  readonly #zones = new Map<string, Set<Host>>();
  /** EgressIP → where it has addresses, as was heard last. */
  readonly #places = new Map<string, readonly string[]>();
  /** Selector → the targets with tenants that use it: its nodes take them when they are lost. */
  readonly #byUse = new Map<Use, Set<Target>>();
  /** Selectors with a node that changed. */
  readonly #changed = new Set<Use>();

  constructor(world: World) {
    this.#world = world;
    for (const host of world.hosts.values()) this.#enter(host);
    for (const name of world.claims.keys()) this.#seat(name);
    this.markAll();
  }

  get zones(): number {
    return this.#zones.size;
  }

  get pending(): number {
    return this.#dirty.size + this.#dirtyZones.size + this.#changed.size;
  }

  hostsOf(target: Target): ReadonlySet<Host> {
    const name = target.slice(target.indexOf('/') + 1);
    if (target.startsWith('zone/')) return new Set(this.#zones.get(name));
    const host = this.#world.hosts.get(name);
    return new Set(host === undefined ? [] : [host]);
  }

  /** One that is to be computed anew; it counts as up to date from now on. */
  take(): Target | undefined {
    for (const use of this.#changed) {
      this.#changed.delete(use);
      for (const target of this.#byUse.get(use) ?? [])
        (target.startsWith('zone/') ? this.#dirtyZones : this.#dirty).add(target);
      if (use.claims.size === 0) this.#byUse.delete(use);
    }
    const target = first(this.#dirty) ?? first(this.#dirtyZones);
    if (target !== undefined) this.#index(target);
    return target;
  }

  #index(target: Target): void {
    for (const host of this.hostsOf(target))
      for (const { use } of host.tenants.values())
        if (use !== undefined) {
          const targets = this.#byUse.get(use) ?? new Set();
          this.#byUse.set(use, targets.add(target));
        }
  }

  /** Before the world learns it. */
  touch({ event }: Heard): void {
    this.#leave(this.#world.hosts.get(nodeOf(event) ?? ''));
    for (const name of roomOf(this.#world, event)) {
      const host = this.#world.hosts.get(name);
      if (host !== undefined) this.#markHost(host);
    }
    this.#markPlaces(claimOf(event));
  }

  /** After the world learned it. */
  retouch({ event }: Heard): void {
    if (event.kind === 'Synced' || event.kind === 'PlatformSeen') return this.markAll();
    this.#enter(this.#world.hosts.get(nodeOf(event) ?? ''));
    const name = claimOf(event);
    if (name === undefined) return;
    this.#seat(name);
    this.#markPlaces(name);
  }

  /** All is to be computed anew. */
  markAll(): void {
    for (const name of this.#world.hosts.keys()) this.#dirty.add(`node/${name}`);
    for (const zone of this.#zones.keys()) this.#dirtyZones.add(`zone/${zone}`);
  }

  #leave(host: Host | undefined): void {
    if (host === undefined) return;
    this.#markHost(host);
    const zone = host.labels[ZONE];
    const nodes = this.#zones.get(zone ?? '');
    nodes?.delete(host);
    if (nodes?.size === 0) this.#zones.delete(zone ?? '');
  }

  #enter(host: Host | undefined): void {
    if (host === undefined) return;
    const zone = host.labels[ZONE];
    if (host.exists && zone !== undefined)
      this.#zones.set(zone, (this.#zones.get(zone) ?? new Set()).add(host));
    this.#markHost(host);
  }

  /** The node itself is another target now, and for its selectors there is another choice. */
  #markHost(host: Host): void {
    this.#mark(host.name);
    for (const use of this.#byUse.keys())
      if (use.selector.matches(host.labels)) this.#changed.add(use);
  }

  #mark(node: string): void {
    this.#dirty.add(`node/${node}`);
    const zone = this.#world.hosts.get(node)?.labels[ZONE];
    if (zone !== undefined) this.#dirtyZones.add(`zone/${zone}`);
  }

  #seat(name: string): void {
    const homes = this.#world.claims.get(name)?.homes.values() ?? [];
    const nodes = [...homes].map(({ node }) => node);
    if (nodes.length > 0) this.#places.set(name, nodes);
    else this.#places.delete(name);
  }

  /** On a cloud a tenant that comes or goes changes the room for everybody. */
  #markPlaces(name: string | undefined): void {
    for (const node of this.#places.get(name ?? '') ?? []) {
      const host = this.#world.hosts.get(node);
      if (this.#world.cloud && host !== undefined) this.#markHost(host);
      else this.#mark(node);
    }
  }
}

function first(targets: Set<Target>): Target | undefined {
  for (const target of targets) {
    targets.delete(target);
    return target;
  }
  return undefined;
}
