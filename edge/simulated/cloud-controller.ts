/** A cloud controller over a simulated cloud; it speaks to any Kubernetes API, played or real. */
import type { Cluster, KubeObject, Sighting } from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';
import { CLOUD_CLAIMS, NODES } from './admission.ts';
import { CloudBook } from './cloud-book.ts';
import type { SimulatedCloud } from './cloud.ts';
import { type CloudStep, nextStep, tells } from './cloud-protocol.ts';
import { CloudWriter, type WriterDoors } from './cloud-writer.ts';

/** What failed of an object; it is tried again at that time, or when what is wanted changes. */
interface Failed {
  readonly wanted: string;
  readonly tries: number;
  readonly againMs: number;
}

export interface ControllerDoors extends WriterDoors {
  readonly cluster: Pick<Cluster, 'watch' | 'request'>;
}

export class CloudController {
  readonly #doors: ControllerDoors;
  readonly #cloud: SimulatedCloud;
  readonly #book = new CloudBook();
  readonly #writer: CloudWriter;
  readonly #busy = new Set<string>();
  readonly #failed = new Map<string, Failed>();

  constructor(doors: ControllerDoors, cloud: SimulatedCloud) {
    this.#doors = doors;
    this.#cloud = cloud;
    this.#writer = new CloudWriter(doors, this.#book);
  }

  /** Serves every CloudPrivateIPConfig, one call at a time for each, until the signal aborts. */
  async live(signal: AbortSignal): Promise<void> {
    const { cluster } = this.#doors;
    await Promise.all([
      this.#follow(cluster.watch(NODES, signal), signal),
      this.#follow(cluster.watch(CLOUD_CLAIMS, signal), signal),
    ]);
  }

  async #follow(watch: AsyncIterable<readonly Sighting[]>, signal: AbortSignal): Promise<void> {
    for await (const sightings of watch) {
      for (const sighting of sightings) this.#book.see(sighting);
      for (const name of this.#book.claims.keys()) void this.#serve(name, signal);
    }
  }

  async #serve(name: string, signal: AbortSignal): Promise<void> {
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    try {
      while (!signal.aborted && (await this.#step(name, signal)));
    } finally {
      this.#busy.delete(name);
    }
  }

  /** One step on an object; false when there is nothing to do for now. */
  async #step(name: string, signal: AbortSignal): Promise<boolean> {
    const object = this.#book.claims.get(name);
    if (object === undefined || this.#waits(object)) return false;
    const { moves } = this.#cloud.manners;
    const step = nextStep(object, moves, (node) => this.#book.nodes.has(node));
    switch (step.kind) {
      case 'Rest':
        return false;
      case 'Hold':
        await this.#writer.hold(object, signal);
        return true;
      case 'LetGo':
        await this.#writer.letGo(object, signal);
        return true;
      case 'Report':
        await this.#writer.report(object, step.status, signal);
        return true;
      case 'Call':
        return this.#call(object, step, signal);
    }
  }

  #waits(object: KubeObject): boolean {
    const failed = this.#failed.get(object.metadata.name);
    if (failed?.wanted !== wantedOf(object)) return false;
    return this.#doors.clock.nowMs() < failed.againMs;
  }

  async #call(
    object: KubeObject,
    step: Extract<CloudStep, { kind: 'Call' }>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { name } = object.metadata;
    if (!tells(object, step.pending) && !(await this.#writer.report(object, step.pending, signal)))
      return true;
    await this.#doors.clock.sleep(this.#cloud.manners.delayMs, signal);
    if (signal.aborted) return false;
    const why = this.#cloud.call(step.call, name, step.node);
    if (why !== '') return this.#fail(object, step.failedOn, why, signal);
    this.#failed.delete(name);
    if (step.done === undefined) await this.#writer.letGo(object, signal);
    else await this.#writer.report(object, step.done, signal);
    return true;
  }

  async #fail(object: KubeObject, node: string, why: string, signal: AbortSignal): Promise<true> {
    const { clock } = this.#doors;
    const { name } = object.metadata;
    const wanted = wantedOf(object);
    const before = this.#failed.get(name);
    const tries = before?.wanted === wanted ? before.tries + 1 : 1;
    const { retryMs, tries: most } = this.#cloud.manners;
    const waitMs = tries >= most ? Number.POSITIVE_INFINITY : retryMs * 2 ** (tries - 1);
    this.#failed.set(name, { wanted, tries, againMs: clock.nowMs() + waitMs });
    if (Number.isFinite(waitMs))
      void clock.sleep(waitMs, signal).then(() => this.#serve(name, signal));
    await this.#writer.report(object, { node, assigned: 'False', message: why }, signal);
    return true;
  }
}

/** A failure counts for what was wanted then. */
function wantedOf(object: KubeObject): string {
  const leaves = property(object.metadata, 'deletionTimestamp') !== undefined;
  return `${object.metadata.uid} ${textOf(property(object['spec'], 'node'))} ${leaves}`;
}
