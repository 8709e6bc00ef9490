/** A Kubernetes API in memory: list and watch, patches and deletes, as the real one answers. */
import type {
  Clock,
  Cluster,
  Collection,
  KubeAnswer,
  KubeObject,
  KubeRequest,
  Sighting,
} from '../../core/door.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Activity, Bell, round } from './activity.ts';
import { EGRESSIPS, EVENTS, NODES } from './admission.ts';
import { noAnswer } from './answer.ts';
import { serve } from './serve.ts';
import { Store } from './store.ts';

/** A request that came to the server, and what it answered. */
export interface Served {
  readonly request: KubeRequest;
  readonly answer: KubeAnswer;
}

interface Watch {
  readonly collection: Collection;
  waiting: Sighting[];
  relist: boolean;
}

export class SimulatedCluster implements Cluster {
  readonly #activity: Activity;
  readonly #store: Store;
  readonly #bell = new Bell();
  readonly #watches = new Set<Watch>();
  readonly #held = new Set<Collection>();
  readonly #served = new Set<Collection>([NODES, EGRESSIPS, EVENTS]);
  /** Whether EgressIP has a status subresource; upstream's has none. */
  readonly statusSubresource: boolean;
  /** Everything that was asked of the server over `request`, in order. */
  readonly requests: Served[] = [];
  /** A failure to answer with instead of serving the request; for tests of retries. */
  fault: (request: KubeRequest) => KubeAnswer | undefined = () => undefined;
  /** Told of every request once it was served. */
  onServed: (served: Served) => void = () => undefined;

  constructor(activity: Activity, clock: Clock, statusSubresource = false) {
    this.#activity = activity;
    this.statusSubresource = statusSubresource;
    this.#store = new Store(clock, (sighting) => this.#tell(sighting));
  }

  get(collection: Collection, name: string): KubeObject | undefined {
    return this.#store.get(collection, name);
  }

  list(collection: Collection): readonly KubeObject[] {
    return this.#store.list(collection);
  }

  /** What an administrator does, at once and uncounted. */
  act(request: KubeRequest): KubeAnswer {
    return serve(this.#store, this.statusSubresource, request);
  }

  /** What whoever may write everything does: the object stands as given, its status included. */
  set(collection: Collection, name: string, object: JsonObject): void {
    const known = this.#store.get(collection, name);
    if (known === undefined) this.#store.create(collection, name, object);
    else this.#store.update(collection, known, object);
  }

  async *watch(collection: Collection, signal: AbortSignal): AsyncGenerator<readonly Sighting[]> {
    const watch: Watch = { collection, waiting: [], relist: true };
    this.#watches.add(watch);
    try {
      await this.#activity.during(round);
      while (!signal.aborted) {
        const sightings = this.#held.has(collection) ? [] : this.#take(watch);
        if (sightings.length > 0) {
          this.#activity.note();
          yield sightings;
          continue;
        }
        await this.#bell.rung(signal);
        await this.#activity.during(round);
      }
    } finally {
      this.#watches.delete(watch);
    }
  }

  #take(watch: Watch): readonly Sighting[] {
    const { collection } = watch;
    if (!watch.relist) return watch.waiting.splice(0);
    watch.relist = false;
    watch.waiting = [];
    if (!this.#served.has(collection)) return [{ kind: 'NotServed', collection }];
    return [{ kind: 'Listed', collection, objects: this.list(collection) }];
  }

  /** As another program writes, such as the cloud controller: like a request, but not counted. */
  async serveOther(request: KubeRequest, signal: AbortSignal): Promise<KubeAnswer> {
    await this.#activity.during(round);
    return signal.aborted ? noAnswer('cut off') : this.act(request);
  }

  /** Holds back what the watches would tell: rooms see the past until `release`. */
  hold(collection: Collection): void {
    this.#held.add(collection);
  }

  /** Tells what was held back; with `relist` only the end of it, as after a 410. */
  release(collection: Collection, relist = false): void {
    this.#held.delete(collection);
    for (const watch of this.#watches)
      if (relist && watch.collection === collection) watch.relist = true;
    this.#bell.ring();
  }

  /** Whether the API server has the kind at all. */
  setServed(collection: Collection, served: boolean): void {
    if (served) this.#served.add(collection);
    else this.#served.delete(collection);
    this.release(collection, true);
  }

  async request(request: KubeRequest, signal: AbortSignal): Promise<KubeAnswer> {
    return await this.#activity.during(async () => {
      await round();
      if (signal.aborted) return noAnswer('the request was cut off');
      const answer = this.fault(request) ?? serve(this.#store, this.statusSubresource, request);
      this.requests.push({ request, answer });
      this.onServed({ request, answer });
      await round();
      return answer;
    });
  }

  async hasStatusSubresource(collection: Collection, signal: AbortSignal): Promise<boolean> {
    while (!this.#served.has(collection) && !signal.aborted) await this.#bell.rung(signal);
    const split = collection === EGRESSIPS ? this.statusSubresource : collection !== EVENTS;
    return await this.#activity.during(() => round().then(() => split));
  }

  #tell(sighting: Sighting): void {
    for (const watch of this.#watches)
      if (watch.collection === sighting.collection) watch.waiting.push(sighting);
    this.#bell.ring();
  }
}
