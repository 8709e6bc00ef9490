/** The processes of the simulation: who runs, who is paused, who is started again. */
import type { Cluster } from '../../core/door.ts';
import type { Speaker } from '../../core/event.ts';
import { openClock } from '../../edge/clock.ts';
import { freshVitals, type Vitals } from '../../edge/vitality.ts';
import { type ApiHouse, clusterOf } from './api-door.ts';
import type { ApiWatch } from './api-watch.ts';
import { draw } from './draw.ts';
import { LogDoor } from './log-door.ts';
import type { LogReading } from './log-reading.ts';
import { proberOf } from './probe-door.ts';
import { Process } from './process.ts';
import { type Row, rowsOf } from './rooms.ts';
import { cloudOf } from './routing/cloud-door.ts';
import type { Simulation } from './simulation.ts';

interface Tenant {
  readonly row: Row;
  readonly process: Process;
  readonly vitals: Vitals;
  readonly isRival: boolean;
  ended: boolean;
}

export class House {
  readonly watches = new Set<ApiWatch>();
  readonly readings = new Set<LogReading>();
  readonly #world: Simulation;
  readonly #api: ApiHouse;
  readonly #tenants: Tenant[] = [];
  readonly #serials = new Map<Speaker, number>();
  /** What the next process of a room is shown by its lists. */
  readonly #stale = new Map<Speaker, NonNullable<Process['stale']>>();
  #healed = false;

  constructor(world: Simulation, api: Omit<ApiHouse, 'watches'>) {
    this.#world = world;
    this.#api = { ...api, watches: this.watches };
  }

  start(): void {
    for (const row of rowsOf(this.#world.shape)) this.#start(row, false);
  }

  #start(row: Row, isRival: boolean): Tenant {
    const { scheduler, plan, ports, faults, network } = this.#world;
    const serial = (this.#serials.get(row.name) ?? 0) + 1;
    this.#serials.set(row.name, serial);
    const name = `${row.name}-${serial}`;
    const process = new Process(name, scheduler, draw(plan.seed, name));
    const tenant = { row, process, vitals: freshVitals(), isRival, ended: false };
    this.#tenants.push(tenant);
    process.crash = () => this.#crash(tenant);
    process.stale = this.#stale.get(row.name);
    const prober = proberOf(ports, process, faults, network);
    scheduler.after(0, process, 'start', () => void this.#run(tenant, prober));
    return tenant;
  }

  async #run(tenant: Tenant, prober: ReturnType<typeof proberOf>): Promise<void> {
    const { process, row, vitals } = tenant;
    const { log, faults, network, plan } = this.#world;
    const logHouse = { server: log, faults, network, readings: this.readings };
    const cluster: Cluster = clusterOf(this.#api, process);
    const door = new LogDoor(
      { ...logHouse, onHeard: (by, batch) => this.#world.heard(by, batch) },
      process,
    );
    const clock = openClock();
    const wire = this.#world.wireOf(process);
    const cloud = wire && cloudOf(wire, clock, Math.random);
    const reach = { log: door, clock, cluster, prober, cloud, shape: plan.shape, vitals };
    const onAnew = (why: string): void => {
      this.#world.note(process.name, `starts anew: ${why}`);
      this.#world.sometimes('a room started anew');
      if (/ is at /.test(why)) this.#world.sometimes('a speaker was refused by the fence');
    };
    try {
      await row.run({ ...reach, onAnew }, process.stop.signal);
    } catch (error) {
      if (!process.stop.signal.aborted) this.#crashed(tenant, error);
    }
    this.#end(tenant);
  }

  /** A bug ends the process; it is started again, and the seed has failed. */
  #crashed({ process }: Tenant, error: unknown): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#world.fail('anytime-no-crash', `${process.name} ended: ${what}`);
  }

  /** As a kubelet does: what is to run is started again after a while. */
  #end(tenant: Tenant): void {
    if (tenant.ended) return;
    tenant.ended = true;
    tenant.process.dead = true;
    if (tenant.isRival) return;
    const waitMs = this.#healed ? 100 : this.#world.draw.between(100, 5_000);
    this.#world.scheduler.after(waitMs, undefined, 'restart', () => this.#start(tenant.row, false));
  }

  #crash(tenant: Tenant): void {
    tenant.process.dead = true;
    if (tenant.process.stale !== undefined) this.#stale.set(tenant.row.name, tenant.process.stale);
    this.#end(tenant);
  }

  #of(name: Speaker): Tenant | undefined {
    return this.#tenants.find(({ row, ended }) => row.name === name && !ended);
  }

  /** The process that speaks for a room now; undefined between two of them. */
  vitalsOf(name: Speaker): Vitals | undefined {
    return this.#of(name)?.vitals;
  }

  /** As kill -9 does: nothing of it goes on, but what it has sent still arrives. */
  kill(name: Speaker): string {
    const tenant = this.#of(name);
    if (tenant === undefined) return '';
    tenant.process.dead = true;
    this.#end(tenant);
    return tenant.process.name;
  }

  terminate(name: Speaker): string {
    const tenant = this.#of(name);
    if (tenant === undefined) return '';
    const { process } = tenant;
    process.within(() => process.stop.abort(new Error('terminated')));
    this.#world.scheduler.after(5_000, undefined, 'grace', () => this.#end(tenant));
    return process.name;
  }

  pause(name: Speaker, ms: number): string {
    const process = this.#of(name)?.process;
    if (process === undefined) return '';
    process.pausedUntilMs = this.#world.scheduler.nowMs + ms;
    return `${process.name} for ${ms} ms`;
  }

  jump(name: Speaker, ms: number): string {
    const process = this.#of(name)?.process;
    if (process === undefined) return '';
    process.offsetMs += ms;
    return `${process.name} by ${ms} ms`;
  }

  /** Two processes of one room at the same time, as when a node is thought dead and is not. */
  rival(name: Speaker, ms: number): string {
    const row = rowsOf(this.#world.shape).find((one) => one.name === name);
    if (row === undefined) return '';
    const tenant = this.#start(row, true);
    this.#world.scheduler.after(ms, undefined, 'rival ends', () => this.#end(tenant));
    return `${tenant.process.name} for ${ms} ms`;
  }

  cutWatches(): void {
    for (const watch of this.watches) watch.cut(new Error('connection reset by peer'));
    this.watches.clear();
  }

  cutReadings(name: Speaker): string {
    const process = this.#of(name)?.process;
    for (const reading of this.readings) reading.fail(process, 'consumer deleted');
    return process?.name ?? '';
  }

  /** How long somebody is still paused. */
  pausedMs(): number {
    const { nowMs } = this.#world.scheduler;
    const running = this.#tenants.filter(({ ended }) => !ended);
    return Math.max(0, ...running.map(({ process }) => process.pausedUntilMs - nowMs));
  }

  /** New facts for whoever reads the stream, and news for whoever watches. */
  news(speaker: Speaker): void {
    for (const reading of this.readings) reading.news(speaker);
  }

  changed(collection: string): void {
    for (const watch of this.watches) {
      if (watch.isOver) this.watches.delete(watch);
      else if (watch.collection === collection) watch.deliver();
    }
  }

  heal(): void {
    this.#healed = true;
    for (const tenant of this.#tenants) if (tenant.isRival) this.#end(tenant);
    this.cutWatches();
  }
}
