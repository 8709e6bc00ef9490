/** One region of one account, in the hands of a test: what is flipped, replaced and looked at. */
import { must } from '../../core/assert.ts';
import { interfacesOf, primaryOf } from './actions/interfaces.ts';
import { bfdOf, bgpOf } from './bgp.ts';
import { bucketName, limitsOf, spend } from './bucket.ts';
import type {
  Endpoint,
  Instance,
  NetworkInterface,
  Peer,
  Route,
  RouteServer,
  Session,
  Speaker,
  Thing,
} from './model.ts';
import type { Machine } from './machine.ts';
import { RegionBuilder } from './region-builder.ts';
import { follow, settle } from './settle.ts';
import type { Region } from './state.ts';
import { shelfOf } from './world.ts';

export class RegionControl extends RegionBuilder {
  /** Terminates an instance: its interfaces go when it is `terminated`, it stays listed. */
  terminate(id: string): void {
    this.setInstance(id, { state: 'shutting-down' });
  }

  /** Terminates an instance and starts another in its subnet; `sameAddress` as ENI reuse has it. */
  replace(id: string, { sameAddress = false } = {}): Machine {
    const old = must(this.state.instances.get(id), `instance ${id}`);
    const address = primaryOf(interfacesOf(this.state, id, Infinity))?.address;
    this.setInstance(id, { state: 'terminated' });
    const keep = sameAddress && address !== undefined ? { address } : {};
    return this.instance({ subnet: old.subnetId, tags: old.tags, ...keep });
  }

  setServer = (id: string, change: Partial<RouteServer>): RouteServer => this.#set(id, change);
  setEndpoint = (id: string, change: Partial<Endpoint>): Endpoint => this.#set(id, change);
  setPeer = (id: string, change: Partial<Peer>): Peer => this.#set(id, change);
  setInstance = (id: string, change: Partial<Instance>): Instance => this.#set(id, change);
  setInterface = (id: string, change: Partial<NetworkInterface>): NetworkInterface =>
    this.#set(id, change);

  #set<T extends Thing>(id: string, change: Partial<T>): T {
    const nowMs = this.now();
    settle(this.world, nowMs);
    const shelf = shelfOf(this.state, id);
    const changed = { ...must(shelf.get(id), id), ...change } as T;
    shelf.put(changed, nowMs);
    if (change.state !== undefined) follow(this.world, this.state, changed, nowMs);
    return changed;
  }

  /** Somebody else sets the check of an instance's primary interface. */
  sourceDestCheck(instance: string, check: boolean): void {
    const eni = primaryOf(interfacesOf(this.state, instance, Infinity));
    this.setInterface(must(eni, `primary interface of ${instance}`).id, { sourceDestCheck: check });
  }

  /** Takes a thing out of every list at once, as AWS does with old tombstones. */
  forget(id: string): void {
    shelfOf(this.state, id).remove(id, this.now());
  }

  /** The session as the Route Server reports it; undefined = as the speakers say. */
  session(peer: string, bgp: Session | undefined, bfd: Session | undefined = bgp): void {
    this.setPeer(peer, { bgp, bfd });
  }

  /** The FRR of the node with this address; undefined = it is silent. */
  speaker(address: string, speaker: Speaker | undefined): void {
    if (speaker === undefined) this.state.speakers.delete(address);
    else this.state.speakers.set(address, speaker);
  }

  routes(server: string, routes: readonly Route[]): void {
    this.setServer(server, { routes });
  }

  /** Peers at this address become `failed` instead of `available`; undefined = no more. */
  doom(address: string, reason: string | undefined): void {
    if (reason === undefined) this.state.doomed.delete(address);
    else this.state.doomed.set(address, reason);
  }

  /** Other tools of the account spend `count` tokens of an action's bucket (facts 1.5). */
  drain(action: string, count: number): void {
    const shared = this.world.manners.buckets === 'category';
    for (const limit of limitsOf(action)) {
      const name = bucketName(shared, action, limit);
      spend(this.state.buckets, name, limit, this.now(), count);
    }
  }

  /** Everything as it is now. */
  get servers(): readonly RouteServer[] {
    return this.#settled().servers.all();
  }
  get endpoints(): readonly Endpoint[] {
    return this.#settled().endpoints.all();
  }
  get peers(): readonly Peer[] {
    return this.#settled().peers.all();
  }
  get instances(): readonly Instance[] {
    return this.#settled().instances.all();
  }
  get interfaces(): readonly NetworkInterface[] {
    return this.#settled().interfaces.all();
  }

  /** Peers that are not `deleted`, with their sessions. */
  livePeers(): (Peer & { readonly session: Session; readonly bfdSession: Session })[] {
    const live = this.peers.filter(({ state }) => state !== 'deleted');
    return live.map((peer) => ({
      ...peer,
      session: bgpOf(this.state, peer),
      bfdSession: bfdOf(this.state, peer),
    }));
  }

  #settled(): Region {
    settle(this.world, this.now());
    return this.state;
  }
}
