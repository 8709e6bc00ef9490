/**
 * The real parts together: three NATS servers, etcd, the API server, and the rooms as processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlPlane, startControlPlane } from '../controlplane/controlplane.ts';
import { type NatsCluster, startNatsCluster } from '../controlplane/nats-cluster.ts';
import { type RoomName, type Rooms, startRooms } from '../controlplane/rooms.ts';
import { findTools } from '../controlplane/tools.ts';
import { eventually } from '../controlplane/wait.ts';
import { homesOf } from '../cluster/objects.ts';
import { watchEtcd } from './etcd-watch.ts';
import { Judge } from './judge.ts';
import { Traffic } from './traffic.ts';
import { twinsAreUsers } from './twin.ts';

const names = ['watcher', 'assigner', 'publisher'] as const;
export const streams = names.map((name) => `SLUICE_${name.toUpperCase()}`);
const record = 'sluice-log';
const configMaps = '/api/v1/namespaces/default/configmaps';
/** So long without any write is rest: longer than the mark that follows a write. */
const quietMs = 2_000;
type Place = Pick<ControlPlane, 'folder' | 'kubeconfig'>;
/** What the publisher keeps in the cluster about the log. */
interface Book {
  readonly marks?: Readonly<Record<string, { readonly sequence: number }>>;
}

export class Site {
  readonly plane: ControlPlane;
  readonly nats: NatsCluster;
  readonly traffic: Traffic;
  readonly judge: Judge;
  /** Rooms that ended by themselves, as sentences. */
  readonly deaths: string[] = [];
  #rooms: Rooms | undefined;
  #endWatch = (): void => {};

  private constructor(plane: ControlPlane, nats: NatsCluster) {
    this.plane = plane;
    this.nats = nats;
    this.traffic = new Traffic(plane.api);
    this.judge = new Judge(this.traffic);
  }

  /** Starts everything; resolves when the rooms have placed the first addresses. */
  static async open(): Promise<Site> {
    const tools = await findTools(['nats-server']);
    const plane = await startControlPlane({ nats: false, ...twinsAreUsers });
    let site: Site | undefined;
    try {
      const nats = await startNatsCluster(tools.get('nats-server') ?? '', plane.folder);
      site = new Site(plane, nats);
      await site.#begin();
      return site;
    } catch (error) {
      await (site ?? plane).stop();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const { plane, nats, judge, deaths } = this;
    const hear = judge.hear.bind(judge);
    const broke = (why: string): void => void deaths.push(`the watch of etcd broke: ${why}`);
    this.#endWatch = await watchEtcd(plane.etcdUrl, hear, broke);
    const metadata = { name: record, namespace: 'default' };
    await plane.api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await this.traffic.open();
    await nats.quorum(streams, 60_000);
    this.#rooms = await this.newRooms(names, plane);
    await this.settled(90_000);
  }

  /** Starts rooms that the caller has to stop; `folder` gets their logs. */
  newRooms(of: readonly RoomName[], at: Place): Promise<Rooms> {
    return startRooms({
      folder: at.folder,
      kubeconfig: at.kubeconfig,
      natsUrl: this.nats.urls,
      names: of,
      env: { SLUICE_LOG_RECORD: `default/${record}`, SLUICE_LOG_REPLICAS: '3' },
      supervisor: (line) => void this.deaths.push(line),
    });
  }

  get rooms(): Rooms['all'] {
    return this.#rooms?.all ?? [];
  }

  /** Kills all rooms at once. */
  async killRooms(): Promise<void> {
    await Promise.all(this.rooms.map((room) => room.kill()));
  }

  async startRooms(): Promise<void> {
    await Promise.all(this.rooms.map((room) => room.start()));
  }

  /** Waits until all rooms have caught up and each address is where it may be. */
  async settled(withinMs: number): Promise<void> {
    const detail = (): string => `: ${this.judge.unsettled().join(', ')}${this.picture()}`;
    await eventually('all is settled', { withinMs, detail, everyMs: 50 }, () => this.isSettled());
  }

  async isSettled(): Promise<boolean> {
    if (this.judge.unsettled().length > 0) return false;
    const ready = await Promise.all(this.rooms.map((room) => room.isReady()));
    return ready.every(Boolean);
  }

  /** Waits until nothing is written, neither to the cluster nor to the log. */
  async rest(withinMs: number): Promise<void> {
    const waiting = { withinMs, everyMs: 1, detail: () => this.picture() };
    await eventually('all is silent', waiting, () => this.silent(quietMs));
  }

  /** Whether nothing is written for so long. */
  async silent(ms: number): Promise<boolean> {
    const before = await this.#count();
    await sleep(ms);
    return before === (await this.#count());
  }

  /** The writes to the cluster, and the last sequence of each stream. */
  async #count(): Promise<string> {
    const lasts = await Promise.all(streams.map((stream) => this.nats.last(stream)));
    return [this.judge.writes, ...lasts].join(' ');
  }

  /** What the publisher has noted about the log. */
  async book(): Promise<Book> {
    const { data } = (await this.plane.api.get(`${configMaps}/${record}`)) as {
      data?: { log?: string };
    };
    return JSON.parse(data?.log ?? '{}') as Book;
  }

  picture(): string {
    const { judge } = this;
    const all = [...judge.objects].map(([name, one]) => `\n${name}: ${homesOf(one)}`);
    return [...all, ...this.rooms.map((room) => `\n${room.name}:\n${room.logTail(6)}`)].join('');
  }

  async stop(): Promise<void> {
    this.#endWatch();
    await this.#rooms?.stop();
    await this.nats.stop();
    await this.plane.stop();
  }
}
