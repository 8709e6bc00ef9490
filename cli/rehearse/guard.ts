/** What the rooms may never do, whatever a rehearsal does to them: looked at after every write. */
import { addressOfCloudName } from '../../core/cloudname.ts';
import type { KubeRequest } from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';
import { EGRESSIPS } from '../../edge/simulated/admission.ts';
import { claimOf, isConfirmed } from './claim.ts';
import type { Item, Stage } from './stage.ts';

/**
 * An address stands in one status at most, and an object has at most one address on a node
 * (`spec/egressip.md` 11.2, 11.3). On a cloud it stands there only while its claim is confirmed
 * (11.8).
 */
export class Guard {
  readonly #stage: Stage;
  /** What each object's status had at the last look, and which objects have an address. */
  readonly #items = new Map<string, readonly Item[]>();
  readonly #holders = new Map<string, Set<string>>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** What became wrong in the statuses of all objects since the last look, a sentence each. */
  look(): readonly string[] {
    const there = this.#stage.world.cluster.list(EGRESSIPS).map(({ metadata }) => metadata.name);
    const names = new Set([...this.#items.keys(), ...there]);
    return [...names].flatMap((name) => this.lookAt(name));
  }

  /** The same for one object. */
  lookAt(name: string): readonly string[] {
    const before = this.#items.get(name) ?? [];
    const items = this.#stage.items(name);
    if (items === before) return [];
    this.#items.set(name, items);
    for (const { egressIP } of before) this.#holders.get(egressIP)?.delete(name);
    const fresh = items.filter((item) => !before.some((old) => isSame(old, item)));
    const violations = fresh.flatMap((item) => this.#violationsOf(name, item, items));
    for (const { egressIP } of items) {
      const holders = this.#holders.get(egressIP) ?? new Set();
      this.#holders.set(egressIP, holders.add(name));
    }
    return [...new Set(violations)];
  }

  #violationsOf(name: string, { egressIP, node }: Item, items: readonly Item[]): readonly string[] {
    const others = [...(this.#holders.get(egressIP) ?? [])].toSorted();
    const doubled = others.map(
      (other) => `${egressIP} stands in the status of ${other} and of ${name}`,
    );
    const siblings = items.filter((item) => item.node === node);
    const together = siblings.length < 2 ? [] : [`two addresses of ${name} are on ${node}`];
    return [...doubled, ...together, ...this.#unconfirmed(name, egressIP, node)];
  }

  #unconfirmed(name: string, address: string, node: string): readonly string[] {
    const { cloud, world } = this.#stage;
    if (cloud === undefined || isConfirmed(claimOf(world, address), name, node)) return [];
    return [
      `${address} stands in the status of ${name} on ${node}, which the cloud did not confirm`,
    ];
  }

  /** What was wrong with a write to a claim: no status may have what it takes away. */
  lookAtClaim(claim: string, { method, body }: KubeRequest): readonly string[] {
    const takes = method === 'DELETE' || (method === 'PATCH' && movesAway(body));
    const address = addressOfCloudName(claim)?.text ?? claim;
    const holders = takes ? [...(this.#holders.get(address) ?? [])].toSorted() : [];
    return holders.map(
      (name) => `${address} is taken from its node, but stands in ${name}'s status`,
    );
  }
}

/** Whether a patch says where the address is to be: on another node, that is. */
const movesAway = (body: unknown): boolean =>
  Array.isArray(body)
    ? body.some((operation) => textOf(property(operation, 'path')).startsWith('/spec'))
    : property(body, 'spec') !== undefined;

const isSame = (a: Item, b: Item): boolean => a.egressIP === b.egressIP && a.node === b.node;
