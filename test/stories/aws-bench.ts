/** aws-sync with its real doors before an emulated AWS, in virtual time. */
import assert from 'node:assert/strict';
import type { Event, Heard, Saying, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { type AwsCloud, openAwsCloud } from '../../edge/ec2/cloud.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import { awsPerform } from '../../services/aws-sync/doors.ts';
import { type Act, type Input, type Settings, usualTimes } from '../../services/aws-sync/input.ts';
import { awsSync } from '../../services/aws-sync/room.ts';
import type { World } from '../../services/aws-sync/world.ts';
import { AwsWorld } from '../aws/control.ts';
import type { Manners } from '../aws/manners.ts';
import type { RegionControl } from '../aws/region.ts';
import type { Key } from '../aws/state.ts';
import { newWorld } from '../aws/world.ts';
import { JumpingClock } from './aws-clock.ts';
import { transportOf, type Network } from './aws-transport.ts';

/** The process was killed: what it was doing is cut off, and it remembers nothing. */
export class Killed extends Error {}

const breath = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export interface BenchOptions {
  readonly manners?: Partial<Manners>;
  readonly settings?: Partial<Settings>;
  readonly seed?: number;
}

export class AwsBench {
  readonly clock = new JumpingClock(Date.UTC(2026, 0, 5, 10));
  readonly aws: AwsWorld;
  readonly region: RegionControl;
  readonly network: Network = { latencyMs: 20, isCut: false, onCall: () => {} };
  /** Everything that aws-sync said. */
  readonly said: Saying[] = [];
  world: World;
  key: Key;
  readonly #room: ReturnType<typeof awsSync>;
  readonly #log = new Map<string, Heard>();
  #sequence = 0;
  #life = new AbortController();
  #cloud: AwsCloud;
  #acting = 0;
  #inputs: Input[] = [];
  #crash: unknown;

  constructor({ manners = {}, settings = {}, seed = 1 }: BenchOptions = {}) {
    this.aws = new AwsWorld(newWorld(seed, manners), () => this.clock.nowMs());
    this.region = this.aws.region('us-east-1');
    this.key = this.aws.key();
    this.#room = awsSync({ times: usualTimes, peersPerEndpoint: 20, ...settings });
    this.world = this.#room.fresh();
    this.#cloud = this.#open();
  }

  #open(): AwsCloud {
    const requestHandler = transportOf(this.aws, this.clock, this.network);
    const credentials = async () => ({
      accessKeyId: this.key.id,
      secretAccessKey: this.key.secret,
      ...(this.key.sessionToken !== '' && { sessionToken: this.key.sessionToken }),
    });
    return openAwsCloud({
      ...{ clock: this.clock, random: () => 0.5, environment: true },
      connection: { requestHandler: requestHandler as never, credentials },
    });
  }

  hear(...events: readonly Event[]): void {
    for (const event of events) this.#put('watcher', { event, causes: [], said: '' });
  }

  /** As it comes back from the wire. */
  #put(stream: Speaker, saying: Saying): void {
    const atMs = this.clock.nowMs();
    const body = decode(encode({ ...saying, atMs }));
    assert.ok(body, saying.event.kind);
    const heard: Heard = { stream, sequence: ++this.#sequence, ...body };
    const { kind, name } = topicOf(saying.event);
    this.#log.delete(`${stream} ${kind} ${name}`);
    this.#log.set(`${stream} ${kind} ${name}`, heard);
    this.#room.fold(this.world, heard);
  }

  /** The last of its kind on a subject. */
  last<Kind extends Event['kind']>(kind: Kind): Extract<Event, { kind: Kind }> | undefined {
    const events = [...this.#log.values()].map(({ event }) => event);
    return events.findLast((event) => event.kind === kind) as never;
  }

  think(): void {
    for (let turns = 0; ; turns++) {
      assert.ok(turns < 1000, 'comes to rest');
      const { says, does } = this.#room.decide(this.world);
      for (const saying of says) {
        this.said.push(saying);
        this.#put('aws-sync', saying);
      }
      for (const act of does) this.#act(act);
      if (says.length === 0) return;
    }
  }

  #act(act: Act): void {
    const { signal } = this.#life;
    this.#acting++;
    void awsPerform(this.#cloud, this.clock)(act, signal).then(
      (input) => {
        this.#acting--;
        if (!signal.aborted) this.#inputs.push(input);
      },
      (error: unknown) => {
        this.#acting--;
        if (!signal.aborted) this.#crash ??= error;
      },
    );
  }

  /** Lives for so long; everything that happens in that time has happened. */
  async run(ms: number): Promise<void> {
    const untilMs = this.clock.nowMs() + ms;
    for (;;) {
      this.think();
      await this.#quiet();
      if (this.#crash !== undefined) throw this.#crash;
      for (const input of this.#inputs.splice(0)) this.#room.sense(this.world, input);
      if (this.world.dirty) continue;
      if (this.clock.nextMs > untilMs) break;
      this.clock.jump(this.clock.nextMs);
    }
    this.clock.jump(untilMs);
  }

  /** Until nothing goes on but by time. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 2; calm++) {
      while (this.#acting > this.clock.sleeping && this.#inputs.length === 0) await breath();
      await breath();
      if (this.#inputs.length > 0) return;
    }
  }

  /** Runs until it is so; says how long that took. Fails after `withinMs`. */
  async until(what: string, withinMs: number, isSo: () => boolean): Promise<number> {
    const beganMs = this.clock.nowMs();
    while (!isSo()) {
      assert.ok(this.clock.nowMs() - beganMs < withinMs, `${what}: not within ${withinMs} ms`);
      await this.run(250);
    }
    return this.clock.nowMs() - beganMs;
  }

  /** Kill -9 and a start from the log. */
  restart(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#inputs = [];
    this.#cloud = this.#open();
    this.world = this.#room.fresh();
    for (const heard of this.#log.values()) this.#room.fold(this.world, heard);
  }

  /** The whole log is lost: the watcher tells again what there is, nobody what was done. */
  forget(...events: readonly Event[]): void {
    this.#log.clear();
    this.restart();
    this.hear(...events);
  }

  get readings() {
    return [...(this.#room.readings?.(this.world) ?? [])];
  }
}
