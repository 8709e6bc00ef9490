/** The whole house on a real control plane, and what an operator does to it and sees of it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer, ApiObject } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import type { CrdShape } from '../controlplane/crd.ts';
import { bodyOf } from '../controlplane/http.ts';
import { type Rooms, type RoomsOptions, startRooms } from '../controlplane/rooms.ts';
import { stateOf } from '../edge/nats-by-hand.ts';
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

export interface HouseOptions extends Partial<RoomsOptions> {
  readonly crd?: CrdShape;
  /** What exists before the rooms start. */
  readonly before?: (house: House) => Promise<void>;
}

/** Starts a control plane and the rooms; resolves when all have caught up. */
export async function openHouse({ crd, before, ...options }: HouseOptions = {}): Promise<House> {
  const plane = await startControlPlane({ crd: crd ?? 'plain' });
  const house = new House(plane);
  try {
    await house.watch();
    await before?.(house);
    const { folder, kubeconfig, natsUrl } = plane;
    house.rooms = await startRooms({ folder, kubeconfig, natsUrl, ...options });
    await house.rooms.ready(30_000);
    return house;
  } catch (error) {
    await house.stop();
    throw error;
  }
}

export class House {
  readonly plane: ControlPlane;
  readonly api: Api;
  rooms: Rooms | undefined;
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

  async stop(): Promise<void> {
    for (const watched of this.#watches) watched.stop();
    await this.rooms?.stop();
    await this.plane.stop();
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

  /** Waits for a change of the cluster that makes it so; tells what there is when it does not come. */
  async until(what: string, isSo: () => boolean, withinMs = 30_000): Promise<void> {
    if (isSo()) return;
    let ends: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const hear = (): void => void (isSo() && resolve());
        ends = this.#watches.map((watched) => watched.onChange(hear));
        const late = (): void => reject(new Error(`"${what}" is not so: ${this.#picture()}`));
        timer = setTimeout(late, withinMs);
      });
    } finally {
      clearTimeout(timer);
      for (const end of ends) end();
    }
  }

  #picture(): string {
    const all = [...this.egressIPs.objects.keys()].map((name) => `\n${name}: ${this.homes(name)}`);
    const told = [...this.events.objects.values()].slice(-8);
    const notes = told.map(({ reason, note }) => `\n${reason} ${note}`);
    const logs = this.rooms?.all.map((room) => `\n${room.name}:\n${room.logTail(4)}`) ?? [];
    return [...all, ...notes, ...logs].join('');
  }

  /** How many writes the cluster has seen, and the last sequence of each stream of the log. */
  async written(): Promise<Record<string, number>> {
    const last = async (name: string): Promise<number> =>
      (await stateOf(this.plane.natsUrl, `SLUICE_${name}`)).last;
    return {
      egressIPs: this.egressIPs.history.length,
      nodes: this.nodes.history.length,
      events: this.events.history.length,
      watcher: await last('WATCHER'),
      assigner: await last('ASSIGNER'),
      publisher: await last('PUBLISHER'),
    };
  }

  /** Waits until nothing has been written for `ms`. Throws when that does not come in 30 s. */
  async rest(ms = 500): Promise<Record<string, number>> {
    let before = await this.written();
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
      await sleep(ms);
      const now = await this.written();
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      before = now;
    }
    throw new Error(`it never rests: ${JSON.stringify(before)}${this.#picture()}`);
  }

  /** Asserts that not one write has come since `before`, nor comes for `ms`. */
  async silent(before: Record<string, number>, ms = 1_500): Promise<void> {
    await sleep(ms);
    assert.deepEqual(await this.written(), before, this.#picture());
  }

  /** What a room says of itself to the kubelet. */
  readyz(name: 'watcher' | 'assigner' | 'publisher'): Promise<string> {
    return bodyOf(`${this.rooms?.room(name).healthUrl}/readyz`);
  }
}
