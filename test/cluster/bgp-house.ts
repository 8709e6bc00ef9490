/** The whole house on a real control plane, routing by BGP with doubles of frr-k8s and OVN-K. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer, ApiObject } from '../controlplane/api.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { applyPlatformCrds, type PlatformKind } from '../controlplane/crd.ts';
import { type Rooms, type RoomsOptions, startRooms } from '../controlplane/rooms.ts';
import { eventually } from '../controlplane/wait.ts';
import { stateOf } from '../edge/nats-by-hand.ts';
import { type FrrDouble, type FrrOptions, openFrr } from '../frrk8s/daemon.ts';
import { openWebhook, type WebhookDouble } from '../frrk8s/webhook.ts';
import { openOvnk, type OvnkDouble } from '../ovnk/ovnk.ts';
import { collections, networkOperator, node, type Plural, plurals, zones } from './bgp-objects.ts';
import { Watched } from './watched.ts';

// oxlint-disable-next-line no-explicit-any -- objects of any kind are read here, by tests
type Any = any;

export interface BgpHouseOptions extends Partial<RoomsOptions> {
  readonly platform?: 'all' | readonly PlatformKind[];
  readonly frr?: FrrOptions;
  /** Nodes a1, b1, … with a Ready pod of frr-k8s; default true. */
  readonly nodes?: boolean;
}

/** Starts the control plane, nodes, doubles and rooms; resolves when all rooms have caught up. */
export async function openBgpHouse(options: BgpHouseOptions = {}): Promise<BgpHouse> {
  const { platform = 'all', frr, nodes = true, ...rooms } = options;
  const plane = await startControlPlane({ platform });
  const house = new BgpHouse(plane);
  try {
    await house.furnish(frr, platform === 'all', nodes);
    await house.startRooms(rooms);
    return house;
  } catch (error) {
    await house.stop();
    throw error;
  }
}

export class BgpHouse {
  readonly plane: ControlPlane;
  readonly api: Api;
  readonly watched: ReadonlyMap<Plural, Watched<Any>>;
  rooms: Rooms | undefined;
  frr!: FrrDouble;
  ovnk!: OvnkDouble;
  webhook: WebhookDouble | undefined;

  constructor(plane: ControlPlane) {
    this.plane = plane;
    this.api = plane.api;
    this.watched = new Map(plurals.map((one) => [one, new Watched(plane, collections[one])]));
  }

  async furnish(frr: FrrOptions | undefined, complete: boolean, nodes: boolean): Promise<void> {
    if (complete) await this.api.apply(networkOperator);
    this.frr = await openFrr(this.plane, frr);
    this.ovnk = openOvnk(this.plane);
    this.webhook = await openWebhook(this.api);
    for (const zone of nodes ? zones : []) {
      await this.api.apply(node(zone));
      await this.frr.pod(`${zone}1`);
    }
    if (complete) await Promise.all([...this.watched.values()].map((one) => one.start()));
  }

  async startRooms(options: Partial<RoomsOptions> = {}): Promise<void> {
    const { folder, kubeconfig, natsUrl } = this.plane;
    this.rooms = await startRooms({ folder, kubeconfig, natsUrl, ...options });
    await this.rooms.ready(60_000);
  }

  /** The kinds that were not served yet are from now on, and the Network is there. */
  async serveAll(): Promise<void> {
    await applyPlatformCrds(this.api);
    await this.api.apply(networkOperator);
    await Promise.all([...this.watched.values()].map((one) => one.start()));
  }

  /** Ends every room, and starts it again; resolves when all have caught up. */
  async restart(): Promise<void> {
    const all = this.rooms?.all ?? [];
    await Promise.all(all.map((room) => room.stop()));
    await Promise.all(all.map((room) => room.start()));
    await this.rooms?.ready(60_000);
  }

  async stop(): Promise<void> {
    for (const one of this.watched.values()) one.stop();
    await this.rooms?.stop();
    await this.frr?.stop();
    await this.ovnk?.stop();
    await this.webhook?.down();
    await this.plane.stop();
  }

  get(plural: Plural, name: string): Any {
    return this.watched.get(plural)?.objects.get(name);
  }

  names(plural: Plural): readonly string[] {
    const names = [...(this.watched.get(plural)?.objects.keys() ?? [])];
    return names.filter((name) => !name.startsWith('ovnk-generated-')).sort();
  }

  path = (plural: Plural, name: string): string => `${collections[plural]}/${name}`;

  async create(object: ApiObject): Promise<ApiAnswer['body']> {
    return await this.api.apply(object);
  }

  async delete(plural: Plural, name: string): Promise<void> {
    await this.api.delete(this.path(plural, name));
  }

  condition(plural: Plural, name: string, type: string): Any {
    const conditions = this.get(plural, name)?.status?.conditions ?? [];
    return conditions.find((one: Any) => one.type === type);
  }

  phase = (plural: Plural, name: string): string => this.get(plural, name)?.status?.phase ?? '';

  /** Waits until it is so; looks whenever an object changes. */
  async until(what: string, isSo: () => boolean, withinMs = 60_000): Promise<void> {
    const ends: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const hear = (): void => void (isSo() && resolve());
        for (const one of this.watched.values()) ends.push(one.onChange(hear));
        const late = (): void => reject(new Error(`"${what}" is not so: ${this.picture()}`));
        timer = setTimeout(late, withinMs);
        hear();
      });
    } finally {
      clearTimeout(timer);
      for (const end of ends) end();
    }
  }

  untilPhase(plural: Plural, name: string, phase: string): Promise<void> {
    return this.until(`${plural}/${name} is ${phase}`, () => this.phase(plural, name) === phase);
  }

  /** How many writes each collection has seen, and the last sequence of each stream of the log. */
  async written(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const [plural, { history }] of this.watched) counts[plural] = history.length;
    for (const name of ['WATCHER', 'ASSIGNER', 'BGP', 'PUBLISHER'])
      counts[name] = (await stateOf(this.plane.natsUrl, `SLUICE_${name}`)).last;
    return counts;
  }

  /** Waits until nothing has been written for `ms`. */
  async rest(ms = 1_000): Promise<Record<string, number>> {
    let before = await this.written();
    await eventually('nothing is written', { withinMs: 60_000 }, async () => {
      await sleep(ms);
      const now = await this.written();
      const quiet = JSON.stringify(now) === JSON.stringify(before);
      before = now;
      return quiet;
    });
    return before;
  }

  /** Asserts that not one write has come since `before`, nor comes for `ms`. */
  async silent(before: Record<string, number>, ms = 2_000): Promise<void> {
    await sleep(ms);
    assert.deepEqual(await this.written(), before, this.picture());
  }

  /** What an error message shows. */
  picture(): string {
    const resources = (['cudnbgpconfigs', 'cudnbgproutings'] as const).flatMap((plural) =>
      this.names(plural).map(
        (name) => `\n${name}: ${JSON.stringify(this.get(plural, name).status ?? {})}`,
      ),
    );
    const objects = plurals.map((plural) => `\n${plural}: ${this.names(plural).join(' ')}`);
    const logs = this.rooms?.all.map((room) => `\n${room.name}:\n${room.logTail(4)}`) ?? [];
    return [...resources, ...objects, ...logs].join('');
  }
}
