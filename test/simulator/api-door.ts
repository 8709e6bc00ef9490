/** The Kubernetes API as one process reaches it: the shipped door over a played connection. */
import {
  type Cluster,
  type Collection,
  type KubeAnswer,
  type KubeRequest,
  type Sighting,
  StaleWriter,
} from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';
import { failure, noAnswer } from '../../edge/simulated/answer.ts';
import type { Api, Call, Stream } from '../../edge/kubernetes/api.ts';
import { within } from '../../edge/kubernetes/deadline.ts';
import { statusSubresource } from '../../edge/kubernetes/discovery.ts';
import { patienceOf } from '../../edge/kubernetes/options.ts';
import { reflect } from '../../edge/kubernetes/reflector.ts';
import type { ApiServer } from './api-server.ts';
import { ApiWatch } from './api-watch.ts';
import { listAnswer, discoveryAnswer } from './api-list.ts';
import type { Faults } from './faults.ts';
import type { Network } from './network.ts';
import { HARM_MS } from './points.ts';
import type { Process } from './process.ts';

export interface ApiHouse {
  readonly server: ApiServer;
  readonly faults: Faults;
  readonly network: Network;
  readonly pageSize: number;
  readonly watches: Set<ApiWatch>;
  /** Told of each write once it was served: by whom, and when it had been sent. */
  onServed(by: Process, request: KubeRequest, answer: KubeAnswer, sentMs: number): void;
  /** Told of each watch that is opened, and from which version. */
  onWatch(by: Process, collection: Collection, version: number): void;
  /** Told of what a watch has shown to a room. */
  onSeen(by: Process, collection: Collection, sightings: readonly Sighting[]): void;
}

/** `spared` = no fault befalls it: the cloud controller is not on trial. */
export function clusterOf(house: ApiHouse, process: Process, spared = false): Cluster {
  const api = new ApiDoor(house, process, spared);
  const patience = patienceOf({ pageSize: house.pageSize });
  const onTrouble = (): void => undefined;
  return {
    watch: (collection, signal) =>
      seen(house, process, reflect(api, { collection, patience, onTrouble }, signal), collection),
    request: (request, signal) => api.call(request, signal),
    hasStatusSubresource: (collection, signal) =>
      statusSubresource(api, collection, patience, signal),
  };
}

async function* seen(
  house: ApiHouse,
  process: Process,
  source: AsyncIterable<readonly Sighting[]>,
  collection: Collection,
): AsyncGenerator<readonly Sighting[]> {
  // Which labels are asked for makes no difference here: there are no other objects.
  const plain = collection.split('?')[0] ?? collection;
  for await (const sightings of source) {
    house.onSeen(
      process,
      plain,
      sightings.map((one) => ({ ...one, collection: plain })),
    );
    yield sightings;
  }
}

class ApiDoor implements Api {
  readonly #house: ApiHouse;
  readonly #process: Process;
  readonly #spared: boolean;

  constructor(house: ApiHouse, process: Process, spared: boolean) {
    this.#house = house;
    this.#process = process;
    this.#spared = spared;
  }

  async call(call: Call, signal: AbortSignal): Promise<KubeAnswer> {
    if (signal.aborted) return noAnswer('the request was cut off');
    const { deadlineMs } = patienceOf({});
    return await within(deadlineMs, signal, async (bounded) => {
      const cut = new Promise<KubeAnswer>((resolve) => {
        bounded.addEventListener('abort', () => resolve(noAnswer('cut off')), { once: true });
      });
      return await Promise.race([this.#exchange(call), cut]);
    });
  }

  async #exchange(call: Call): Promise<KubeAnswer> {
    const { network, server } = this.#house;
    const what = `${call.method} ${call.path.split('?')[0]}`;
    const isWrite = call.method !== 'GET' && !this.#spared;
    const harm = isWrite ? this.#house.faults.points.at('write', this.#process.name) : undefined;
    if (isWrite) await this.#fence(what);
    const sentMs = this.#process.scheduler.nowMs;
    await network.go(this.#process, what, harm === 'delay' ? HARM_MS : 0);
    const lost = isWrite && this.#befalls('reply lost after the write');
    const answer = this.#serve(call, sentMs);
    if (harm === 'crash') this.#process.crash();
    const { awayUntilMs } = server;
    if (awayUntilMs > this.#process.scheduler.nowMs)
      await network.back(this.#process, 'nothing', 1_000);
    else await network.back(this.#process, `${what} → ${answer.status}`);
    return (lost || harm === 'lose the answer') && answer.status < 300
      ? noAnswer('connection reset by peer')
      : answer;
  }

  /** As `edge/kubernetes/http.ts`: it may wait for a connection, and asks when that is there. */
  async #fence(what: string): Promise<void> {
    await this.#house.network.back(this.#process, `${what} may go`);
    if (!this.#process.mayWrite())
      throw new StaleWriter('the lease ran out before a write was sent');
  }

  #befalls(rate: Parameters<Faults['befalls']>[0]): boolean {
    return !this.#spared && this.#house.faults.befalls(rate);
  }

  #serve(call: Call, sentMs: number): KubeAnswer {
    const { server } = this.#house;
    if (server.awayUntilMs > this.#process.scheduler.nowMs && !this.#spared)
      return noAnswer('connection refused');
    const fault = this.#fault(call);
    if (fault !== undefined) return fault;
    if (call.method === 'GET') return parsed(this.#read(call));
    const request: KubeRequest = {
      method: call.method,
      path: call.path,
      contentType: call.contentType ?? 'application/json',
      body: call.body,
    };
    const answer = server.serve(request, this.#process.name);
    this.#house.onServed(this.#process, request, answer, sentMs);
    return parsed(answer);
  }

  #fault(call: Call): KubeAnswer | undefined {
    if (this.#befalls('request lost')) return noAnswer('connection reset by peer');
    if (this.#befalls('request throttled (429)'))
      return { ...failure(429, 'too many requests'), retryAfterMs: 1_000 };
    if (this.#befalls('server error (500)')) return failure(500, 'etcdserver: leader changed');
    if (call.method === 'PATCH' && this.#befalls('write conflict (409)'))
      return failure(409, 'the object has been modified; please apply your changes to the latest');
    return undefined;
  }

  #read(call: Call): KubeAnswer {
    const { server } = this.#house;
    const past = (): number => Math.max(server.compacted, server.version - 6);
    const { stale, scheduler } = this.#process;
    const inPast = stale !== undefined && stale.untilMs > scheduler.nowMs;
    const version = this.#befalls('list of the past') ? past() : inPast ? stale.version : undefined;
    const list = listAnswer(server, call.path, version);
    const of = textOf(property(property(list?.body, 'metadata'), 'resourceVersion'));
    if (of !== '') this.#process.listed.set(new URL(call.path, 'http://api').pathname, Number(of));
    return (
      discoveryAnswer(server, call.path) ??
      list ??
      server.serve(
        { method: 'GET', path: call.path, contentType: '', body: undefined },
        this.#process.name,
      )
    );
  }

  async stream(path: string, signal: AbortSignal): Promise<Stream> {
    const { network, server, faults } = this.#house;
    if (signal.aborted) return { open: false, answer: noAnswer('cut off') };
    await network.go(this.#process, 'WATCH');
    const away = server.awayUntilMs > this.#process.scheduler.nowMs && !this.#spared;
    const lost = away || this.#befalls('request lost');
    const place = new URL(path, 'http://api');
    const version = Number(place.searchParams.get('resourceVersion'));
    const timeoutMs = Number(place.searchParams.get('timeoutSeconds')) * 1_000;
    const bookmarks = place.searchParams.get('allowWatchBookmarks') === 'true';
    await network.back(this.#process, 'WATCH', lost ? 500 : 0);
    if (lost) return { open: false, answer: noAnswer('connection refused') };
    const collection = place.pathname;
    if (!server.isServed(collection)) return { open: false, answer: failure(404, 'not found') };
    if (version < server.compacted) return { open: false, answer: failure(410, 'too old', 'Gone') };
    const calm = this.#spared ? spared : faults;
    const order = { collection, version, timeoutMs, bookmarks };
    this.#house.onWatch(this.#process, collection, version);
    const watch = new ApiWatch(server, order, calm, network, this.#process);
    this.#house.watches.add(watch);
    return { open: true, body: watch.body(signal) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Nothing befalls whoever is spared. */
const spared = {
  befalls: () => false,
  healed: true,
  points: { at: () => undefined },
} as unknown as Faults;

/** As it comes over a wire: nobody shares an object with the server. */
const parsed = (answer: KubeAnswer): KubeAnswer => ({
  ...answer,
  body:
    answer.body === undefined ? undefined : (JSON.parse(JSON.stringify(answer.body)) as unknown),
});
