/** A real cluster as an operator has it in hand: changes objects, and waits for what follows. */
import assert from 'node:assert/strict';
import type { Api, ApiAnswer, ApiObject } from '../controlplane/api.ts';
import type { ControlPlane } from '../controlplane/controlplane.ts';
import {
  type EgressIP,
  egressIPObject,
  egressIPs,
  events,
  homesOf,
  type Labels,
  nodeObject,
  type NodeWish,
  nodes,
  readiness,
  type Told,
} from './objects.ts';
import { type Seen, Watched } from './watched.ts';

export class Cluster {
  readonly plane: ControlPlane;
  readonly api: Api;
  readonly egressIPs: Watched<EgressIP>;
  readonly nodes: Watched<Seen>;
  readonly events: Watched<Told>;
  #numbers = 0;

  constructor(plane: ControlPlane) {
    this.plane = plane;
    this.api = plane.api;
    this.egressIPs = new Watched(plane, egressIPs);
    this.nodes = new Watched(plane, nodes);
    this.events = new Watched(plane, events);
  }

  get #watches(): readonly Watched<Seen>[] {
    return [this.egressIPs, this.nodes, this.events];
  }

  async watch(): Promise<void> {
    await Promise.all(this.#watches.map((watched) => watched.start()));
  }

  unwatch(): void {
    for (const watched of this.#watches) watched.stop();
  }

  /** Removes every object; each test brings its own. */
  async clear(): Promise<void> {
    await this.api.delete(egressIPs);
    await this.api.delete(nodes);
    await this.until('no object is left', () => {
      return this.egressIPs.objects.size === 0 && this.nodes.objects.size === 0;
    });
  }

  /** Makes a node with a number of its own, Ready unless told otherwise. Returns the number. */
  async node(name: string, wish: NodeWish = {}): Promise<number> {
    this.#numbers = (this.#numbers % 250) + 1;
    await this.post(nodes, nodeObject(name, this.#numbers, wish));
    return this.#numbers;
  }

  async egressIP(name: string, addresses: readonly string[], selector?: Labels): Promise<void> {
    await this.api.apply(egressIPObject(name, addresses, selector));
  }

  async post(collection: string, object: ApiObject): Promise<ApiAnswer['body']> {
    const { status, body } = await this.api.call('POST', collection, object);
    assert.equal(status, 201, body?.message);
    return body;
  }

  /** null removes a label. */
  async label(node: string, labels: Readonly<Record<string, string | null>>): Promise<void> {
    await this.api.patch(`${nodes}/${node}`, { metadata: { labels } });
  }

  async setReady(node: string, ready: boolean): Promise<void> {
    await this.api.patch(`${nodes}/${node}/status`, { status: readiness(ready) });
  }

  homes(name: string): string {
    return homesOf(this.egressIPs.objects.get(name));
  }

  nodeOf(name: string, address: string): string {
    const items = this.egressIPs.objects.get(name)?.status?.items ?? [];
    return items.find(({ egressIP }) => egressIP === address)?.node ?? '';
  }

  /** Waits until the status reads so: `10.0.1.1 on a, 10.0.1.2 on b`, or '' for empty. */
  async homed(name: string, wanted: string | RegExp): Promise<void> {
    await this.until(`the status of ${name} is ${wanted || 'empty'}`, () => {
      const homes = this.homes(name);
      return typeof wanted === 'string' ? homes === wanted : wanted.test(homes);
    });
  }

  /** The Events on objects of this name with this reason. */
  told(name: string, reason: string): Told[] {
    const all = [...this.events.objects.values()];
    return all.filter((told) => told.regarding.name === name && told.reason === reason);
  }

  async hasTold(name: string, reason: string, note = /./): Promise<Told> {
    const find = (): Told | undefined =>
      this.told(name, reason).find((told) => note.test(told.note));
    await this.until(`an event ${reason} ${note} on ${name}`, () => find() !== undefined);
    const found = find();
    assert.ok(found);
    return found;
  }

  /**
   * Waits for a change of the cluster that makes it so; tells what there is when it does not come.
   */
  async until(what: string, isSo: () => boolean, withinMs = 30_000): Promise<void> {
    if (isSo()) return;
    let ends: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const hear = (): void => void (isSo() && resolve());
        ends = this.#watches.map((watched) => watched.onChange(hear));
        const late = (): void => reject(new Error(`"${what}" is not so: ${this.picture()}`));
        timer = setTimeout(late, withinMs);
      });
    } finally {
      clearTimeout(timer);
      for (const end of ends) end();
    }
  }

  /** What an error message shows of the cluster. */
  picture(): string {
    const all = [...this.egressIPs.objects.keys()].map((name) => `\n${name}: ${this.homes(name)}`);
    const told = [...this.events.objects.values()].slice(-8);
    return [...all, ...told.map(({ reason, note }) => `\n${reason} ${note}`)].join('');
  }
}
