/** One simulated world: its servers, its processes, what happens to them, and who judges it. */
import type {
  Clock,
  Collection,
  HeardBatch,
  KubeAnswer,
  KubeRequest,
  Sighting,
} from '../../core/door.ts';
import { isCloud } from '../../core/platform.ts';
import { INFRASTRUCTURES } from '../../edge/simulated/admission.ts';
import { SimulatedCloud } from '../../edge/simulated/cloud.ts';
import { CloudController } from '../../edge/simulated/cloud-controller.ts';
import { clusterOf } from './api-door.ts';
import { ApiServer, type Change } from './api-server.ts';
import type { Checker } from './checker.ts';
import { act, isDeed, settle } from './deeds.ts';
import { type Draw, draw } from './draw.ts';
import { strike } from './fate.ts';
import { Faults } from './faults.ts';
import { House } from './house.ts';
import { type Append, LogServer } from './log-server.ts';
import { Network } from './network.ts';
import { nodeNames } from './objects.ts';
import type { Answer } from '../aws/step.ts';
import type { Plan } from './plan.ts';
import { Ports } from './probe-door.ts';
import { Process } from './process.ts';
import { RECORD } from './rooms.ts';
import type { Wire } from './routing/ec2.ts';
import { Field } from './routing/field.ts';
import { actRouting, isRoutingDeed, settleRouting } from './routing/deeds.ts';
import { wireOf } from './routing/wire.ts';
import { Scheduler } from './scheduler.ts';

export const BEGINNING_MS = Date.UTC(2026, 0, 5, 10, 0, 0);

/** Where the publisher keeps how far the log had come; the chart makes it. */
const [NAMESPACE = '', RECORD_NAME = ''] = RECORD.split('/');
export const RECORDS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

export interface Failure {
  readonly checker: string;
  readonly sentence: string;
  readonly atMs: number;
}

/** A write that a room made, and when. */
export interface Wrote {
  readonly atMs: number;
  readonly by: string;
  readonly what: string;
}

export class Simulation {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly draw: Draw;
  readonly faults: Faults;
  readonly network: Network;
  readonly server: ApiServer;
  readonly log: LogServer;
  readonly ports = new Ports();
  readonly cloud: SimulatedCloud;
  /** What surrounds the rooms where they route by BGP. */
  readonly field: Field | undefined;
  readonly house: House;
  /** Names and addresses that somebody else meddled with, and when. */
  readonly meddled = new Map<string, number>();
  /** Writes of the rooms, to the cluster and to the log. */
  readonly writes: Wrote[] = [];
  readonly #checkers: readonly Checker[];
  readonly #print: (line: string) => void;
  failure: Failure | undefined;

  constructor(plan: Plan, checkers: readonly Checker[], print: (line: string) => void) {
    this.plan = plan;
    this.#checkers = checkers;
    this.#print = print;
    this.draw = draw(plan.seed, 'world');
    this.scheduler = new Scheduler(draw(plan.seed, 'order'), BEGINNING_MS);
    this.faults = new Faults(plan.seed, plan.shares);
    this.network = new Network(draw(plan.seed, 'latency'), this.faults);
    const clock: Clock = { nowMs: () => this.scheduler.nowMs, sleep: never, breathe: never };
    const { cloud, statusSubresource, movesInPlace, pageSize } = plan.shape;
    this.server = new ApiServer(clock, cloud, statusSubresource);
    this.log = new LogServer(this.scheduler);
    this.cloud = new SimulatedCloud({ moves: movesInPlace, tries: 1_000, retryMs: 500 });
    const { server, faults, network } = this;
    if (plan.shape.routing !== 'none') {
      const chance = draw(plan.seed, 'field');
      this.field = new Field(server, this.scheduler, chance, plan.seed, plan.shape);
    }
    this.house = new House(this, {
      server,
      faults,
      network,
      pageSize,
      onServed: (by, request, answer, sentMs) => this.#served(by, request, answer, sentMs),
      onSeen: (by, collection, sightings) => this.#seen(by, collection, sightings),
      onWatch: (by, collection, version) => {
        for (const { onWatch } of this.#checkers) onWatch?.(this, by, collection, version);
      },
    });
    server.onChange = (change) => this.#changed(change);
    this.log.onAppend = (append) => this.#appended(append);
    this.log.onNews = (speaker) => this.house.news(speaker);
  }

  /** One line of what happens; part of the trace. */
  note(who: string, what: string): void {
    const at = ((this.scheduler.nowMs - BEGINNING_MS) / 1_000).toFixed(3);
    this.scheduler.trace(`${who} ${what}`);
    this.#print(`${at.padStart(9)} ${who.padEnd(12)} ${what}`);
  }

  fail(checker: string, sentence: string): void {
    if (this.failure !== undefined) return;
    this.note('JUDGE', `${checker}: ${sentence}`);
    this.failure = { checker, sentence, atMs: this.scheduler.nowMs };
  }

  /** Something that has to happen in some seeds, or they test less than they seem to. */
  sometimes(what: string): void {
    this.faults.count(`sometimes ${what}`);
  }

  /** Builds the world of the plan, and starts the rooms. */
  begin(): void {
    this.open(() => {
      settle(this, draw(this.plan.seed, 'beginning'));
      settleRouting(this, draw(this.plan.seed, 'routing beginning'));
    });
    for (const name of nodeNames) if (this.draw.chance(0.1)) this.ports.setReachable(name, false);
    for (const [index, step] of this.plan.steps.entries())
      this.scheduler.after(step.afterMs, undefined, `step ${index}`, () => this.#step(index));
  }

  /** Starts the cloud and the rooms over what is there in the beginning. */
  open(fill: () => void): void {
    this.server.setServed(RECORDS, true);
    this.server.set(RECORDS, RECORD_NAME, { data: {} });
    if (this.plan.shape.cloud) this.#beginCloud();
    this.field?.begin(this.plan.shape.routing === 'aws');
    fill();
    this.house.start();
  }

  #step(index: number): void {
    const step = this.plan.steps[index];
    if (step === undefined) return;
    const { kind, seed } = step;
    const chance = draw(seed, kind);
    const isBlow = !isDeed(kind) && !isRoutingDeed(kind);
    const what = isDeed(kind)
      ? act(kind, this, chance)
      : isRoutingDeed(kind)
        ? actRouting(kind, this, chance)
        : strike(kind, this, chance);
    if (what === '') return;
    if (isBlow) this.faults.count(kind);
    this.note('STEP', `${index} ${kind}: ${what}`);
  }

  get shape(): Plan['shape'] {
    return this.plan.shape;
  }

  #beginCloud(): void {
    const status = { platformStatus: { type: this.plan.shape.movesInPlace ? 'OpenStack' : 'AWS' } };
    if (!isCloud(status.platformStatus.type)) throw new Error('no cloud');
    this.server.set(INFRASTRUCTURES, 'cluster', { status });
    const process = new Process('cloud', this.scheduler, draw(this.plan.seed, 'cloud'));
    const { server, faults, network } = this;
    const watches = this.house.watches;
    const told = { onServed: none, onSeen: none, onWatch: none };
    const api = { server, faults, network, watches, pageSize: 500, ...told };
    const clock: Clock = {
      nowMs: () => this.scheduler.nowMs,
      sleep: this.#sleep(process),
      breathe: never,
    };
    const cluster = clusterOf(api, process, true);
    const controller = new CloudController({ cluster, clock }, this.cloud);
    process.within(() => void controller.live(process.stop.signal));
  }

  /** The cloud controller lies down before each call: that is when the cloud may fail or lag. */
  #sleep(process: Process): Clock['sleep'] {
    return (ms) => {
      if (this.faults.befalls('cloud call fails')) this.cloud.outages++;
      const lateMs = this.faults.befalls('cloud call slow') ? this.draw.between(100, 20_000) : 0;
      return new Promise((wake) => {
        this.scheduler.after(Math.min(ms, 30_000) + lateMs, process, 'cloud', wake);
      });
    };
  }

  #changed(change: Change): void {
    const { type, collection, object, by, version } = change;
    const kind = collection.split('/').at(-1);
    this.note(by, `${type} ${kind}/${object.metadata.name} at ${version} ${summary(change)}`);
    this.house.changed(collection);
    this.field?.changed(collection);
    for (const { onChange } of this.#checkers) onChange?.(this, change);
  }

  #served(by: Process, request: KubeRequest, answer: KubeAnswer, sentMs: number): void {
    const what = `${request.method} ${request.path.split('?')[0]} → ${answer.status}`;
    this.note(by.name, `${what} ${answer.message}`);
    this.writes.push({ atMs: this.scheduler.nowMs, by: by.name, what });
    for (const { onServed } of this.#checkers) onServed?.(this, by, request, answer, sentMs);
  }

  #seen(by: Process, collection: Collection, sightings: readonly Sighting[]): void {
    for (const { onSeen } of this.#checkers) onSeen?.(this, by, collection, sightings);
  }

  #appended(append: Append): void {
    const { heard, by } = append;
    const what = `${heard.stream} ${heard.sequence} ${heard.event.kind}`;
    this.note(by, `said ${what} ${nameIn(heard.event)}: ${heard.said}`);
    this.writes.push({ atMs: this.scheduler.nowMs, by, what });
    for (const { onAppend } of this.#checkers) onAppend?.(this, append);
  }

  /** AWS answered a process. */
  answered(by: Process, answer: Answer, sentMs: number): void {
    const { action, code } = answer;
    const isRead = /^(Describe|Get)/.test(action);
    if (!isRead) this.note(by.name, `AWS ${action} → ${code || 'ok'} ${answer.delivery}`);
    if (!isRead) this.writes.push({ atMs: this.scheduler.nowMs, by: by.name, what: action });
    for (const { onAnswer } of this.#checkers) onAnswer?.(this, by, answer, sentMs);
  }

  /** How aws-sync reaches AWS; undefined where there is none. */
  wireOf(process: Process): Wire | undefined {
    return this.field && wireOf(this, this.field, process);
  }

  heard(by: Process, batch: HeardBatch): void {
    for (const { onHeard } of this.#checkers) onHeard?.(this, by, batch);
  }

  /** Users and faults rest, whoever was down is up again. */
  heal(): void {
    const { server, log, scheduler, ports, faults } = this;
    this.note('STEP', 'the world heals');
    faults.healed = true;
    server.awayUntilMs = 0;
    server.frozen = undefined;
    log.awayUntilMs = 0;
    ports.cutOffUntilMs = 0;
    this.field?.heal();
    this.house.heal();
    scheduler.trace('healed');
  }

  /** Asks all checkers of a time what they find. */
  judge(time: 'eventually' | 'finally'): void {
    for (const checker of this.#checkers)
      for (const sentence of checker[time]?.(this) ?? []) this.fail(checker.name, sentence);
  }

  async run(ms: number): Promise<void> {
    const over = (): boolean => this.failure !== undefined;
    await this.scheduler.runUntil(this.scheduler.nowMs + ms, over);
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
const none = (): void => undefined;

const nameIn = (event: object): string => ('name' in event ? String(event.name) : '');

/** What of an object matters to who reads along. */
function summary({ object, collection }: Change): string {
  const { spec, status } = object as { spec?: object; status?: object };
  if (collection.endsWith('/events')) return JSON.stringify(object['reason'] ?? '');
  if (collection.endsWith('/nodes')) return JSON.stringify(object.metadata).slice(0, 300);
  return `${JSON.stringify(spec ?? {})} ${JSON.stringify(status ?? {})}`;
}
