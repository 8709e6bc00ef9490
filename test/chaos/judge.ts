/** Looks at every write to the cluster: no address twice, and none leaves a node without need. */
import type { EgressIP, Item } from '../cluster/objects.ts';
import type { Write } from './etcd-watch.ts';

const place = '/registry/k8s.ovn.org/egressips/';
/** Whose writes count: the API server also writes for itself, and for its own leases. */
const counted = /^\/registry\/(k8s\.ovn\.org|minions|events|configmaps\/default)\//;

/** What is known of the nodes by whoever changes them. */
export interface Nodes {
  /** Whether it matches and is Ready. */
  isGood(node: string): boolean;
  /** Whether it has been so since the round began. */
  stayedGood(node: string): boolean;
}

export class Judge {
  readonly objects = new Map<string, EgressIP>();
  /** Sentences of what must never be. */
  readonly doubles: string[] = [];
  /** Addresses that left a node which was good for them all the time. */
  readonly moves: string[] = [];
  /** How many writes of anybody but the API server there were. */
  writes = 0;
  readonly #nodes: Nodes;
  /** Addresses that were not asked for at a time while a status still had them. */
  #released = new Set<string>();

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  /** At rest no status has an address that nobody asks for. */
  beginRound(): void {
    this.#released.clear();
  }

  hear({ key, deleted, object }: Write): void {
    if (counted.test(key)) this.writes += 1;
    if (!key.startsWith(place)) return;
    const name = key.slice(place.length);
    const before = this.objects.get(name);
    if (deleted) return void this.objects.delete(name);
    const now = object as EgressIP;
    this.objects.set(name, now);
    if (before?.metadata.uid === now.metadata.uid) this.#compare(before, now);
    for (const { egressIP } of itemsOf(now))
      if (!now.spec.egressIPs.includes(egressIP)) this.#released.add(seat(now, egressIP));
    this.#count(now);
  }

  #compare(before: EgressIP, now: EgressIP): void {
    for (const { egressIP, node } of itemsOf(before)) {
      if (!now.spec.egressIPs.includes(egressIP) || !this.#nodes.stayedGood(node)) continue;
      const homes = itemsOf(now).filter((item) => item.egressIP === egressIP);
      if (homes.some((item) => item.node === node)) continue;
      // It was asked for anew before the status had followed: it begins anew.
      if (this.#released.delete(seat(now, egressIP))) continue;
      const to = homes[0]?.node ?? 'nowhere';
      this.moves.push(`${now.metadata.name}: ${egressIP} went from ${node} to ${to}`);
    }
  }

  /** The object just written, beside all others. */
  #count(now: EgressIP): void {
    const all = [...this.objects.values()].flatMap((one) =>
      itemsOf(one).map((item) => ({ name: one.metadata.name, ...item })),
    );
    for (const { egressIP } of itemsOf(now)) {
      const homes = all.filter((item) => item.egressIP === egressIP);
      if (homes.length < 2) continue;
      const where = homes.map(({ name, node }) => `${node} for ${name}`);
      this.doubles.push(`${egressIP} is on ${where.join(' and on ')}`);
    }
    const hosts = itemsOf(now).map(({ node }) => node);
    if (new Set(hosts).size < hosts.length)
      this.doubles.push(`siblings of ${now.metadata.name} share a node: ${hosts.join(', ')}`);
  }

  /** What is not as it should be once all is quiet, as half sentences. */
  unsettled(): string[] {
    const taken = new Set(
      [...this.objects.values()].flatMap((one) => itemsOf(one).map(({ egressIP }) => egressIP)),
    );
    return [...this.objects.values()].flatMap((one) => [
      // Of two objects that ask for the same address one has it.
      ...one.spec.egressIPs.filter((address) => !taken.has(address)),
      ...itemsOf(one).flatMap(({ egressIP, node }) => {
        const wanted = one.spec.egressIPs.includes(egressIP) && this.#nodes.isGood(node);
        return wanted ? [] : [`${egressIP} on ${node}`];
      }),
    ]);
  }
}

const seat = ({ metadata }: EgressIP, address: string): string => `${metadata.uid} ${address}`;
const itemsOf = (one: EgressIP): readonly Item[] => one.status?.items ?? [];
