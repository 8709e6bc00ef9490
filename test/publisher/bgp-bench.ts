/** The publisher before a little API server, with decisions of bgp and aws-sync played to it. */
import type { Clock, Cluster } from '../../core/door.ts';
import type { Cause, Event, Heard, Saying, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { publisherPerform } from '../../services/publisher/doors.ts';
import type { Act, Input } from '../../services/publisher/input.ts';
import { publisher } from '../../services/publisher/room.ts';
import type { World } from '../../services/publisher/world.ts';
import { RoutingModel } from './bgp-model.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly resolve: () => void;
}

/** Lets everything that can go on by itself go on. */
const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const plurals: readonly string[] = [
  ...['networks', 'frrconfigurations', 'clusteruserdefinednetworks', 'routeadvertisements'],
  ...['cudnbgpconfigs', 'cudnbgproutings'],
];

export class RoutingBench {
  readonly model = new RoutingModel();
  world: World;
  nowMs = Date.UTC(2026, 0, 5, 12);
  said: Saying[] = [];
  readonly #room: ReturnType<typeof publisher>;
  /** The last event of each subject, as the log keeps it. */
  readonly #log = new Map<string, Heard>();
  /** Everything that was said. */
  readonly heard: Heard[] = [];
  readonly #sequences = new Map<Speaker, number>();
  #sleepers: Sleeper[] = [];
  #working = 0;
  #stop = new AbortController();
  #perform!: (act: Act, signal: AbortSignal) => Promise<Input>;

  constructor(mode: 'enforce' | 'shadow' = 'enforce', served: readonly string[] = plurals) {
    this.#room = publisher({ mode });
    this.world = this.#room.fresh();
    this.#open();
    for (const plural of served) this.hear('watcher', { kind: 'KindSeen', plural, served: true });
  }

  #open(): void {
    const clock: Clock = {
      nowMs: () => this.nowMs,
      breathe,
      sleep: (ms) =>
        new Promise((resolve) => {
          // A timer of Node knows whole milliseconds, and may ring one early.
          const dueMs = this.nowMs + Math.max(1, Math.floor(ms) - 1);
          this.#sleepers.push({ dueMs, resolve });
        }),
    };
    const cluster: Pick<Cluster, 'request'> = {
      request: async (request) => {
        await breathe();
        return this.model.request(request);
      },
    };
    this.#perform = publisherPerform(cluster as Cluster, clock, () => 0.3333);
  }

  hear(stream: Speaker, event: Event, causes: readonly Cause[] = [], said = ''): number {
    const { kind, name } = topicOf(event);
    const sequence = (this.#sequences.get(stream) ?? 0) + 1;
    this.#sequences.set(stream, sequence);
    // As it is read back from the log: nothing is shared.
    const heard: Heard = {
      ...{ stream, sequence, atMs: this.nowMs, causes, said },
      event: structuredClone(event),
    };
    // AwsJudged and BgpConfigDecided stand on streams of their own.
    this.#log.delete(`${stream} ${kind} ${name}`);
    this.#log.set(`${stream} ${kind} ${name}`, heard);
    this.heard.push(heard);
    this.#room.fold(this.world, heard);
    return sequence;
  }

  think(): void {
    for (let turns = 0; ; turns++) {
      if (turns > 50) throw new Error('the publisher talks without end');
      const { says, does, more } = this.#room.decide(this.world);
      for (const saying of says) {
        this.said.push(saying);
        this.hear('publisher', saying.event, saying.causes, saying.said);
      }
      for (const act of does) this.#do(act);
      if (says.length === 0 && does.length === 0 && !more) return;
    }
  }

  #do(act: Act): void {
    const { signal } = this.#stop;
    if (act.kind !== 'Wait') this.#working++;
    void this.#perform(act, signal).then((input) => {
      if (signal.aborted) return;
      if (act.kind !== 'Wait') this.#working--;
      this.#room.sense(this.world, input);
    });
  }

  /** Tells, thinks and serves until nothing is left to do at this moment. */
  async rest(): Promise<this> {
    for (let rounds = 0; rounds < 500; rounds++) {
      const facts = this.model.facts.splice(0);
      for (const fact of facts) this.hear('watcher', fact);
      this.think();
      await breathe();
      if (facts.length === 0 && this.#working === 0 && this.model.facts.length === 0) {
        this.think();
        if (this.#working === 0) return this;
      }
    }
    throw new Error('the publisher does not come to rest');
  }

  /** Lets time pass, at rest in between. */
  async pass(ms: number): Promise<this> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const next = Math.min(...this.#sleepers.map(({ dueMs }) => dueMs));
      if (next > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next);
      const due = this.#sleepers.filter(({ dueMs }) => dueMs <= this.nowMs);
      this.#sleepers = this.#sleepers.filter(({ dueMs }) => dueMs > this.nowMs);
      for (const { resolve } of due) resolve();
      await breathe();
      await this.rest();
    }
    this.nowMs = untilMs;
    return this;
  }

  /**
   * As kill -9 does, at rest: another life knows what the log keeps, in the order that is given.
   */
  async restart(order: (log: readonly Heard[]) => readonly Heard[] = (log) => log): Promise<this> {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#sleepers = [];
    this.#working = 0;
    this.world = this.#room.fresh();
    this.#open();
    for (const heard of order([...this.#log.values()]))
      this.#room.fold(this.world, structuredClone(heard));
    return await this.rest();
  }

  /** Facts that are heard, and not thought about. */
  deliver(): void {
    for (const fact of this.model.facts.splice(0)) this.hear('watcher', fact);
  }

  /** The writes since the last call. */
  writes(): readonly string[] {
    return this.model.writes.splice(0);
  }

  /** The outcomes since the last call, without Events. */
  outcomes(): readonly Saying[] {
    return this.said.splice(0);
  }
}
