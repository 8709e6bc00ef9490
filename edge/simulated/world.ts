/** A cluster, a log, nodes and a clock in one process, and the rooms that live in it. */
import { StaleWriter } from '../../core/door.ts';
import type { Clock, Cluster, Collection, KubeRequest, Log, Prober } from '../../core/door.ts';
import type { Speaker } from '../../core/event.ts';
import { Activity } from './activity.ts';
import { CLOUD_CLAIMS, INFRASTRUCTURES } from './admission.ts';
import { SimulatedClock } from './clock.ts';
import { CloudController } from './cloud-controller.ts';
import type { SimulatedCloud } from './cloud.ts';
import { SimulatedCluster } from './cluster.ts';
import { SimulatedLog } from './log.ts';
import { SimulatedProber } from './prober.ts';

export interface Doors {
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: Cluster;
  readonly prober: Prober;
}

/** A room joined to its doors; runs until the signal aborts, throws StaleWriter to be run anew. */
export interface Tenant {
  readonly name: Speaker;
  live(doors: Doors, signal: AbortSignal): Promise<void>;
}

export interface Scene {
  readonly tenants: readonly Tenant[];
  readonly statusSubresource?: boolean;
  readonly beginningMs?: number;
  /** The cluster is on a cloud: OpenShift's kinds are served, and a cloud controller lives. */
  readonly cloud?: SimulatedCloud | undefined;
  /** How many rounds of the event loop one moment may take; more are an endless loop. */
  readonly mostRounds?: number;
}

/** Enough for thousands of objects: a fact takes some ten rounds to its end, many at a time. */
const MOST_ROUNDS = 20_000;

/** A room that is refused again and again would never come to rest. */
const MOST_LIVES = 100;

interface Life {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export class SimulatedWorld {
  readonly activity = new Activity();
  readonly clock: SimulatedClock;
  readonly log: SimulatedLog;
  readonly cluster: SimulatedCluster;
  readonly prober: SimulatedProber;
  readonly #tenants: readonly Tenant[];
  readonly #mostRounds: number;
  readonly #lives = new Map<Speaker, Life>();
  /** The cloud controller is no room: it lives from the first start to the end. */
  readonly #cloud: SimulatedCloud | undefined;
  #controlled: Life | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(scene: Scene) {
    this.clock = new SimulatedClock(this.activity, scene.beginningMs);
    this.log = new SimulatedLog(this.activity, this.clock);
    this.cluster = new SimulatedCluster(this.activity, this.clock, scene.statusSubresource);
    this.prober = new SimulatedProber(this.activity);
    this.#tenants = scene.tenants;
    this.#cloud = scene.cloud;
    for (const collection of scene.cloud === undefined ? [] : [CLOUD_CLAIMS, INFRASTRUCTURES])
      this.cluster.setServed(collection, true);
    this.#mostRounds = scene.mostRounds ?? MOST_ROUNDS;
  }

  /** Starts the rooms that do not run. */
  start(names: readonly Speaker[] = this.#tenants.map(({ name }) => name)): void {
    this.#controlled ??= this.#control();
    for (const tenant of this.#tenants) {
      if (!names.includes(tenant.name) || this.#lives.has(tenant.name)) continue;
      const stop = new AbortController();
      const ended = this.#live(tenant, stop.signal);
      this.#lives.set(tenant.name, { stop, ended });
    }
  }

  /** As kill -9 does: what a room knew is gone, and what it had under way comes to nothing. */
  async stop(names: readonly Speaker[] = this.#tenants.map(({ name }) => name)): Promise<void> {
    for (const name of names) {
      const life = this.#lives.get(name);
      this.#lives.delete(name);
      life?.stop.abort(new Error(`${name} was stopped`));
      await life?.ended;
    }
  }

  /** Ends everything, the cloud controller too. */
  async end(): Promise<void> {
    this.#controlled?.stop.abort(new Error('the end'));
    await this.#controlled?.ended;
    await this.stop();
  }

  #control(): Life | undefined {
    if (this.#cloud === undefined) return undefined;
    const stop = new AbortController();
    const { cluster, clock } = this;
    const api = {
      watch: (collection: Collection, signal: AbortSignal) => cluster.watch(collection, signal),
      request: (request: KubeRequest, signal: AbortSignal) => cluster.serveOther(request, signal),
    };
    const controller = new CloudController({ cluster: api, clock }, this.#cloud);
    return { stop, ended: controller.live(stop.signal) };
  }

  async restart(names?: readonly Speaker[]): Promise<void> {
    await this.stop(names);
    this.start(names);
  }

  /**
   * Lets everybody work until nobody has anything to do at this moment.
   * @throws what a room failed of; Error when there is no end to it.
   */
  async settle(): Promise<void> {
    await this.activity.rest(this.#mostRounds);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Settles, then lets time go on, and settles whenever somebody wakes. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    await this.clock.advance(ms, () => this.settle());
    await this.settle();
  }

  async #live(tenant: Tenant, signal: AbortSignal): Promise<void> {
    for (let lives = 0; !signal.aborted; lives++) {
      try {
        if (lives >= MOST_LIVES) throw new Error(`${tenant.name} is refused again and again`);
        this.activity.note();
        await tenant.live(this, signal);
      } catch (error) {
        if (signal.aborted || error instanceof StaleWriter) continue;
        this.#failure ??= { error };
        return;
      }
    }
  }
}
