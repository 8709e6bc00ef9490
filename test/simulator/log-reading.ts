/** One reading of some streams: each arrives at its own pace, in order and without gaps. */
import type { HeardBatch } from '../../core/door.ts';
import { StaleWriter } from '../../core/door.ts';
import type { Heard, Speaker } from '../../core/event.ts';
import type { Memory } from '../../edge/nats/memory.ts';
import type { Faults } from './faults.ts';
import { endOf, type LogServer, type Stream } from './log-server.ts';
import type { Network } from './network.ts';
import { HARM_MS } from './points.ts';
import type { Process } from './process.ts';

interface Reader {
  readonly speaker: Speaker;
  readonly stream: Stream;
  /** What is on its way or has come. */
  at: number;
  last: Heard | undefined;
  /** The last that has come. */
  heard: Heard | undefined;
  fetching: boolean;
}

export class LogReading {
  readonly #server: LogServer;
  readonly #faults: Faults;
  readonly #network: Network;
  readonly #process: Process;
  readonly #readers: readonly Reader[];
  readonly #arrived: HeardBatch[] = [];
  #failure: StaleWriter | undefined;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(
    server: LogServer,
    streams: readonly Speaker[],
    faults: Faults,
    network: Network,
    process: Process,
  ) {
    this.#server = server;
    this.#faults = faults;
    this.#network = network;
    this.#process = process;
    this.#readers = streams.map((speaker) => {
      const stream = server.stream(speaker);
      return {
        speaker,
        stream,
        at: endOf(stream),
        last: stream.events.at(-1),
        heard: undefined,
        fetching: true,
      };
    });
    for (const { speaker } of this.#readers) this.#past(speaker, [...server.lasts(speaker)]);
  }

  /** The last event of each subject, in pieces; an empty stream brings one empty batch. */
  #past(stream: Speaker, events: Heard[]): void {
    const part = events.splice(0, this.#process.draw.chance(0.5) ? events.length : 3);
    this.#process.scheduler.after(
      this.#network.latencyMs(),
      this.#process,
      `hear ${stream}`,
      () => {
        this.#arrive({ stream, events: part, pending: events.length });
        if (events.length > 0) return this.#past(stream, events);
        for (const reader of this.#readers) if (reader.speaker === stream) reader.fetching = false;
        return this.news(stream);
      },
    );
  }

  /** There may be something new on the stream. */
  news(speaker: Speaker): void {
    const reader = this.#readers.find((one) => one.speaker === speaker);
    if (reader === undefined || reader.fetching || this.#closed) return;
    if (!this.#isNew(reader)) return;
    reader.fetching = true;
    const nowMs = this.#process.scheduler.nowMs;
    const awayMs = Math.max(0, this.#server.awayUntilMs - nowMs);
    const lateMs = this.#faults.befalls('log stream late')
      ? this.#process.draw.between(500, 30_000)
      : 0;
    const waitMs = this.#network.latencyMs() + Math.max(awayMs, lateMs);
    this.#process.scheduler.after(waitMs, this.#process, `hear ${speaker}`, () => {
      reader.fetching = false;
      this.#fetch(reader);
    });
  }

  #isNew({ speaker, stream, at, last }: Reader): boolean {
    const now = this.#server.stream(speaker);
    return now !== stream || endOf(now) !== at || now.events.at(-1) !== last;
  }

  /** What the shipped reader remembers of each stream when its reading ends. */
  *memories(): Generator<readonly [Speaker, Memory]> {
    for (const { speaker, stream, heard } of this.#readers) {
      if (heard === undefined) continue;
      const { created } = stream;
      yield [speaker, { created, sequence: heard.sequence, id: this.#server.idOf(heard) }];
    }
  }

  /** The stream must still hold what was heard last, at its place. */
  #fetch(reader: Reader): void {
    const { speaker, stream, at, last } = reader;
    const now = this.#server.stream(speaker);
    if (now !== stream) return this.#fail(`stream ${speaker} was replaced`);
    const { events, base } = stream;
    if (events[at - base - 1] !== last) return this.#fail(`stream ${speaker} lost its end`);
    const fresh = events.slice(at - base);
    if (fresh.length === 0) return undefined;
    const { name } = this.#process;
    const harm = this.#faults.points.at('heard', name, name.startsWith(`${speaker}-`));
    if (harm === 'delay') return this.#later(reader);
    reader.at = endOf(stream);
    reader.last = events.at(-1);
    const befell = last !== undefined && this.#faults.befalls('log event twice');
    const isTwice = befell || harm === 'duplicate';
    const twice = isTwice ? fresh.slice(-1) : [];
    this.#arrive({ stream: speaker, events: [...fresh, ...twice], pending: 0 });
    if (harm === 'crash') this.#process.crash();
    return undefined;
  }

  /** It comes after a while, with whatever comes until then. */
  #later(reader: Reader): void {
    reader.fetching = true;
    this.#process.scheduler.after(HARM_MS, this.#process, `hear ${reader.speaker}`, () => {
      reader.fetching = false;
      this.#fetch(reader);
    });
  }

  /** The reading of this process is over, for whatever reason. */
  fail(of: Process | undefined, why: string): void {
    if (this.#process === of) this.#fail(why);
  }

  #fail(why: string): void {
    this.#failure = new StaleWriter(why);
    this.#wake();
  }

  #arrive(batch: HeardBatch): void {
    if (this.#closed) return;
    const reader = this.#readers.find(({ speaker }) => speaker === batch.stream);
    if (reader !== undefined) reader.heard = batch.events.at(-1) ?? reader.heard;
    this.#arrived.push(batch);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The next batch; undefined when it was closed. Throws when a stream is not what it was. */
  async next(): Promise<HeardBatch | undefined> {
    for (;;) {
      if (this.#closed) return undefined;
      if (this.#failure !== undefined) throw this.#failure;
      const batch = this.#arrived.shift();
      if (batch !== undefined) return batch;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }

  get isOver(): boolean {
    return this.#closed || this.#process.dead;
  }
}
