/**
 * The publisher before a cluster that answers when the test lets it: every interleaving is
 * possible.
 */
import type { Clock, Cluster, KubeAnswer, KubeRequest } from '../../core/door.ts';
import type { Decision } from '../../core/decision.ts';
import type { Cause, Event, Heard, Saying, Speaker } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { publisherPerform } from '../../services/publisher/doors.ts';
import type { Act, Input } from '../../services/publisher/input.ts';
import { publisher } from '../../services/publisher/room.ts';
import type { World } from '../../services/publisher/world.ts';
import { answer, type CloudModel } from './cloud-model.ts';

interface Pending {
  readonly request: KubeRequest;
  readonly resolve: (answer: KubeAnswer) => void;
}

interface Sleeper {
  readonly dueMs: number;
  readonly resolve: () => void;
}

/** Lets everything that can go on by itself go on. */
const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export class PublisherBench {
  readonly model: CloudModel;
  world: World;
  nowMs = 1_000_000;
  pending: Pending[] = [];
  sleepers: Sleeper[] = [];
  readonly said: Saying[] = [];
  readonly #room: ReturnType<typeof publisher>;
  /** The last event of each subject, as the log keeps it. */
  readonly #log = new Map<string, Heard>();
  #sequence = 0;
  #stop = new AbortController();
  #perform: (act: Act, signal: AbortSignal) => Promise<Input> = async () => ({
    kind: 'Woke',
    atMs: 0,
    until: 'time',
  });

  constructor(model: CloudModel, mode: 'enforce' | 'shadow' = 'enforce') {
    this.model = model;
    this.#room = publisher({ mode });
    this.world = this.#room.fresh();
    this.hear('watcher', { kind: 'PlatformSeen', platform: 'AWS', infrastructureName: '' });
    this.hear('watcher', { kind: 'Synced', kinds: [], probing: 'off' });
    this.#open();
  }

  #open(): void {
    const { signal } = this.#stop;
    const clock: Clock = {
      nowMs: () => this.nowMs,
      breathe,
      sleep: (ms) =>
        new Promise((resolve) => this.sleepers.push({ dueMs: this.nowMs + ms, resolve })),
    };
    const cluster: Pick<Cluster, 'request' | 'hasStatusSubresource'> = {
      request: (request) => new Promise((resolve) => this.pending.push({ request, resolve })),
      hasStatusSubresource: async () => this.model.statusSubresource,
    };
    this.#perform = publisherPerform(cluster as Cluster, clock);
    const shape: Input = {
      kind: 'Shape',
      statusSubresource: this.model.statusSubresource,
      atMs: this.nowMs,
    };
    if (!signal.aborted) this.#room.sense(this.world, shape);
  }

  hear(stream: Speaker, event: Event, causes: readonly Cause[] = []): number {
    const { kind, name } = topicOf(event);
    const sequence = ++this.#sequence;
    const heard: Heard = { stream, sequence, atMs: this.nowMs, causes, said: '', event };
    this.#log.delete(`${stream} ${kind} ${name}`);
    this.#log.set(`${stream} ${kind} ${name}`, heard);
    this.#room.fold(this.world, heard);
    return sequence;
  }

  decide(decisions: readonly Decision[]): void {
    for (const decision of decisions) this.hear('assigner', decision);
  }

  /** Delivers the next facts, at most so many. */
  deliver(most: number): void {
    for (const fact of this.model.facts.splice(0, most)) this.hear('watcher', fact);
  }

  /** Thinks until it has nothing more to say; what it does waits for the test. */
  async think(): Promise<void> {
    for (let turns = 0; ; turns++) {
      if (turns > 50) throw new Error('the publisher talks without end');
      const { says, does, more } = this.#room.decide(this.world);
      for (const saying of says) {
        this.said.push(saying);
        this.hear('publisher', saying.event, saying.causes);
      }
      for (const act of does) this.#do(act);
      if (says.length === 0 && does.length === 0 && !more) break;
    }
    await breathe();
  }

  #do(act: Act): void {
    const { signal } = this.#stop;
    void this.#perform(act, signal).then((input) => {
      if (!signal.aborted) this.#room.sense(this.world, input);
    });
  }

  /** The server serves one request; `lost` = the answer does not come back. */
  async serve(index: number, fault: number, lost: boolean): Promise<void> {
    const [one] = this.pending.splice(index, 1);
    if (one === undefined) return;
    const refused = fault === 0 ? undefined : answer(fault, {}, `fault ${fault}`);
    const served = refused ?? this.model.request(one.request);
    one.resolve(lost ? answer(0, undefined, 'no answer') : served);
    await breathe();
  }

  async sleep(ms: number): Promise<void> {
    this.nowMs += ms;
    const due = this.sleepers.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.sleepers = this.sleepers.filter(({ dueMs }) => dueMs > this.nowMs);
    for (const { resolve } of due) resolve();
    await breathe();
  }

  /** Delivers, thinks and serves until nothing is left to do at this moment. */
  async rest(fault: (request: KubeRequest) => number = () => 0): Promise<void> {
    for (let rounds = 0; rounds < 100; rounds++) {
      const busy = this.model.facts.length > 0 || this.pending.length > 0;
      this.deliver(Number.POSITIVE_INFINITY);
      await this.think();
      const [next] = this.pending;
      if (next !== undefined) await this.serve(0, fault(next.request), false);
      else if (!busy) return;
    }
    throw new Error('the publisher does not come to rest');
  }

  /** As kill -9 does: what was under way arrives at the server or not, as `arrives` says. */
  async restart(arrives: () => boolean): Promise<void> {
    this.#stop.abort();
    for (const { request } of this.pending) if (arrives()) this.model.request(request);
    this.pending = [];
    this.sleepers = [];
    this.#stop = new AbortController();
    this.world = this.#room.fresh();
    for (const heard of this.#log.values()) this.#room.fold(this.world, heard);
    this.#open();
    await this.think();
  }
}
