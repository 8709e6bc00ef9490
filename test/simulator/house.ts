/** The processes of the simulation: who runs, who is paused, who is started again. */
import type { Cluster } from '../../core/door.ts';
import type { Speaker } from '../../core/event.ts';
import { openClock, sleep } from '../../edge/clock.ts';
import { Lease } from '../../edge/lease.ts';
import type { Logger } from '../../edge/log.ts';
import { freshVitals, type Vitals } from '../../edge/vitality.ts';
import { type ApiHouse, clusterOf } from './api-door.ts';
import type { ApiWatch } from './api-watch.ts';
import { draw } from './draw.ts';
import { LogDoor } from './log-door.ts';
import type { LogReading } from './log-reading.ts';
import { markedLog } from './log-wire.ts';
import { proberOf } from './probe-door.ts';
import { Process } from './process.ts';
import { type Reach, type Row, rowsOf } from './rooms.ts';
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
    const { process, row } = tenant;
    try {
      await row.run({ ...this.#reachOf(tenant), prober }, process.stop.signal);
    } catch (error) {
      if (!process.stop.signal.aborted) this.#crashed(tenant, error);
    }
    this.#end(tenant);
  }

  #reachOf({ process, row, vitals, isRival }: Tenant): Omit<Reach, 'prober'> {
    const { faults, network, plan } = this.#world;
    const server = this.#world.log;
    const contested = plan.steps.some(({ kind }) => kind === 'rival process');
    const hearing = { server, faults, network, readings: this.readings };
    const onHeard = this.#world.heard.bind(this.#world);
    const door = new LogDoor({ ...hearing, onHeard }, process);
    const log = {
      ...markedLog({ server, faults, network, contested }, process, door.heard),
      hear: door.hear.bind(door),
      speak: door.speak.bind(door),
    };
    const { scheduler, name } = process;
    // A container that is started again has the place of the one before, a rival has its own.
    const me = { holder: name, instance: isRival ? name : row.name };
    const nowMs = (): number => process.nowMs();
    const clocks = { monotonicMs: () => scheduler.nowMs, nowMs, sleep };
    const lease = new Lease(log.leaseOf(row.name), me, clocks);
    process.lease = lease;
    const clock = openClock();
    const wire = this.#world.wireOf(process);
    const cloud = wire && cloudOf(wire, clock, Math.random);
    const cluster: Cluster = clusterOf(this.#api, process);
    const logger = this.#loggerOf(process);
    return { log, lease, logger, clock, cluster, cloud, shape: plan.shape, vitals };
  }

  #loggerOf({ name }: Process): Logger {
    const told = (said: string, { because }: { readonly because?: unknown } = {}): void => {
      const why = typeof because === 'string' ? `: ${because}` : '';
      this.#world.note(name, `${said}${why}`);
      if (said.startsWith('starting anew')) this.#world.sometimes('a room started anew');
      if (said.startsWith('another replica')) this.#world.sometimes('another replica took over');
      if (said.startsWith('an older copy')) this.#world.sometimes('an older log was made void');
      if (/^: .* is at /.test(why)) this.#world.sometimes('a speaker was refused by the fence');
      if (/lease ran out/.test(why)) this.#world.sometimes('a write was held back by the fence');
    };
    return { debug: () => undefined, info: told, warn: told, error: told };
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
    const present = this.#of(name)?.process;
    const tenant = this.#start(row, true);
    const { draw: chance } = tenant.process;
    // The node was thought dead because it stood still.
    if (present !== undefined && chance.chance(0.5))
      present.pausedUntilMs = this.#world.scheduler.nowMs + chance.between(4_000, 60_000);
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

  /** The world is over: what still waits would keep all of it in memory. */
  close(): void {
    for (const { process } of this.#tenants) process.stop.abort(new Error('the world is over'));
  }

  heal(): void {
    this.#healed = true;
    for (const tenant of this.#tenants) if (tenant.isRival) this.#end(tenant);
    this.cutWatches();
  }
}
