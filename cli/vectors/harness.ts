/** The simulated world in which one vector is played. */
import type { KubeRequest } from '../../core/door.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { compile } from '../../core/selector.ts';
import { EGRESSIPS, EVENTS } from '../../edge/simulated/admission.ts';
import { SimulatedWorld } from '../../edge/simulated/world.ts';
import type { World as Assignments } from '../../services/assigner/world.ts';
import { rooms, usualSettings } from '../rehearse/rooms.ts';
import type { Expectation, Item, Step, Vector } from './format.ts';
import { egressIPObject, seededEgressIPs } from './objects.ts';
import { addNode, change } from './change.ts';
import { compareCloud, holdNew, openCloud } from './cloud.ts';

export interface RecordedEvent {
  readonly name: string;
  readonly reason: string;
  readonly type: string;
  readonly note: string;
}

export class Harness {
  readonly #vector: Vector;
  readonly #world: SimulatedWorld;
  readonly #assignments: () => Assignments | undefined;
  readonly #intervalMs: number;
  /** How many requests had been served when the last step began. */
  #before = 0;

  constructor(vector: Vector) {
    const { noHostSubnetNodes, reachabilityTotalTimeout } = vector.config ?? {};
    const settings = {
      ...usualSettings,
      probing: reachabilityTotalTimeout === 0 ? ('off' as const) : usualSettings.probing,
      excluded:
        noHostSubnetNodes === undefined
          ? undefined
          : compile({ ...noHostSubnetNodes, matchExpressions: [] }),
    };
    const { tenants, assignments } = rooms(settings);
    this.#vector = vector;
    this.#assignments = assignments;
    this.#intervalMs = settings.intervalMs;
    this.#world = new SimulatedWorld({ tenants });
  }

  /** Puts what is there before start-up into the cluster, starts the rooms, lets them settle. */
  async start(): Promise<void> {
    for (const node of this.#vector.nodes) addNode(this.#world, node);
    for (const egressIP of [...seededEgressIPs(this.#vector), ...this.#vector.egressips])
      this.#world.cluster.set(EGRESSIPS, egressIP.name, egressIPObject(egressIP));
    openCloud(this.#world, this.#vector);
    this.#world.start();
    await this.#settle();
  }

  async stop(): Promise<void> {
    await this.#world.stop();
  }

  async #settle(): Promise<void> {
    await this.#world.settle();
    holdNew(this.#world);
    if (this.#vector.manualTicks !== true) await this.#tick();
  }

  async #tick(): Promise<void> {
    this.#world.prober.resetProbed();
    await this.#world.advance(this.#intervalMs);
    holdNew(this.#world);
  }

  /** Does one step, and lets all that follows from it happen. */
  async play(step: Exclude<Step, { op: 'expect' }>): Promise<void> {
    this.#before = this.#world.cluster.requests.length;
    if (step.op === 'healthTick') return await this.#tick();
    change(this.#world, step);
    await this.#settle();
  }

  /** How the CloudPrivateIPConfigs differ from what is expected. */
  compareCloud(expect: Expectation): readonly string[] {
    return compareCloud(expect, this.#world);
  }

  items(name: string): readonly Item[] {
    const status = property(this.#world.cluster.get(EGRESSIPS, name), 'status');
    return listOf(property(status, 'items')) as readonly Item[];
  }

  annotations(name: string): unknown {
    return property(this.#world.cluster.get(EGRESSIPS, name)?.metadata, 'annotations');
  }

  get events(): readonly RecordedEvent[] {
    return this.#world.cluster.list(EVENTS).map((event) => ({
      name: textOf(property(event['regarding'], 'name')),
      reason: textOf(event['reason']),
      type: textOf(event['type']),
      note: textOf(event['note']),
    }));
  }

  get probed(): readonly string[] {
    return this.#world.prober.probed;
  }

  get assignments(): Assignments | undefined {
    return this.#assignments();
  }

  /** Status writes caused by the last step, accepted or not. */
  get statusWrites(): number {
    const requests = this.#world.cluster.requests.slice(this.#before);
    return requests.filter(({ request }) => writesStatus(request)).length;
  }
}

function writesStatus({ path, body }: KubeRequest): boolean {
  if (!path.startsWith(EGRESSIPS)) return false;
  if (!Array.isArray(body)) return property(body, 'status') !== undefined;
  return body.some((operation: unknown) =>
    textOf(property(operation, 'path')).startsWith('/status'),
  );
}
