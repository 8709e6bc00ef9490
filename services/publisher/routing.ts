/** What the publisher remembers of BGP routing: the objects, the resources, and what is to do. */
import type { Resource as Kind } from '../../core/bgp-decision.ts';
import { Many } from '../../core/many.ts';
import type { ManagedKind } from '../../core/managed.ts';
import { Managed } from './managed.ts';
import { managedStep } from './managed-step.ts';
import type { Trouble } from './overlay.ts';
import { ResourceThing } from './resource.ts';
import { RoutingTally } from './routing-tally.ts';

/** The owner of what all routings share. */
const EVERY_ROUTING = 'cudnbgprouting/*';

export class Routing {
  readonly #managed = new Map<string, Managed>();
  readonly #resources = new Map<string, ResourceThing>();
  /** By `cudnbgpconfig/cluster`: whose condition tells when one cannot be written. */
  readonly #owned = new Many<Managed>();
  /** By plural, as `KindSeen` tells. */
  readonly served = new Map<string, boolean>();
  readonly toManage = new Set<Managed>();
  readonly toPublish = new Set<ResourceThing>();
  /** What is to be looked at again at a certain time. */
  readonly resting = new Set<Managed | ResourceThing>();
  readonly tally = new RoutingTally();
  /** Something was heard since we last learned the time: rooms have no clock. */
  late = true;

  get managed(): Iterable<Managed> {
    return this.#managed.values();
  }

  get resources(): Iterable<ResourceThing> {
    return this.#resources.values();
  }

  object(kind: ManagedKind, name: string): Managed {
    const key = `${kind}/${name}`;
    const known = this.#managed.get(key);
    if (known !== undefined) return known;
    const managed = new Managed(kind, name);
    this.#managed.set(key, managed);
    return managed;
  }

  resource(kind: Kind, name: string): ResourceThing {
    const key = `${kind}/${name}`;
    const known = this.#resources.get(key);
    if (known !== undefined) return known;
    const thing = new ResourceThing(kind, name);
    this.#resources.set(key, thing);
    return thing;
  }

  want(managed: Managed, wanted: Managed['wanted']): void {
    const before = managed.wanted?.decision.owner;
    if (before !== undefined) this.#owned.delete(before, managed);
    managed.wanted = wanted;
    if (wanted !== undefined) this.#owned.add(wanted.decision.owner, managed);
    for (const owner of new Set([before, wanted?.decision.owner]))
      if (owner !== undefined) this.stirOwner(owner);
  }

  /** The conditions of the owner may be others now. */
  stirOwner(owner: string): void {
    if (owner === EVERY_ROUTING)
      for (const one of this.resources) if (one.kind === 'cudnbgprouting') this.toPublish.add(one);
    const thing = this.#resources.get(owner);
    if (thing !== undefined) this.toPublish.add(thing);
  }

  /** What stands in the way of the objects of an owner now, as long as it does. */
  troublesOf({ title, kind, current }: ResourceThing): readonly Trouble[] {
    const types = new Set(current?.conditions.map(({ type }) => type));
    const shared = this.#troublesOf(kind === 'cudnbgprouting' ? EVERY_ROUTING : '');
    return [...this.#troublesOf(title), ...shared.filter(({ condition }) => types.has(condition))];
  }

  #troublesOf(owner: string): readonly Trouble[] {
    return [...this.#owned.of(owner)].flatMap((managed) => {
      const { object, name, failing, failure, wanted, failingMs } = managed;
      const foreign = managed.foreign ?? '';
      const failed = failing !== '' && managedStep(this, managed) !== undefined;
      if (!failed && foreign === '') return [];
      const since = failed ? failingMs : (managed.restored[0] ?? failingMs);
      return {
        ...{ object, name, foreign, atMs: since },
        condition: wanted?.decision.condition ?? '',
        failing: failed ? failing : '',
        failure: failed ? failure : '',
      };
    });
  }

  /**
   * What was made for it may be there still: who decided has not heard of what no fact shows, or
   * only withdraws it first.
   */
  leaves({ title }: ResourceThing): boolean {
    return [...this.#owned.of(title)].some(({ object, wanted, seen, acting }) => {
      const goes = object !== 'Network' && wanted?.decision.want !== 'untouched';
      return goes && (seen !== undefined || acting !== undefined);
    });
  }

  /** What neither the cluster nor the decisions know any more is forgotten. */
  settle(managed: Managed): void {
    if (managed.seen !== undefined || managed.acting !== undefined) return;
    if (managed.wanted?.decision.want === 'present') return;
    this.want(managed, undefined);
    this.#managed.delete(managed.title);
    this.toManage.delete(managed);
    this.resting.delete(managed);
  }

  settleResource(thing: ResourceThing): void {
    if (thing.seen !== undefined || thing.decided !== undefined) return;
    if (thing.acting !== undefined || thing.telling !== undefined) return;
    this.#resources.delete(thing.title);
    this.toPublish.delete(thing);
    this.resting.delete(thing);
  }
}
