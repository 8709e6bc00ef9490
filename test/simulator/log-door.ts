/** The log as one process reaches it: it hears late and in pieces, and speaks through the fence. */
import type { HeardBatch, Log } from '../../core/door.ts';
import { StaleWriter } from '../../core/door.ts';
import type { Heard, Saying, Speaker } from '../../core/event.ts';
import type { Memory } from '../../edge/nats/memory.ts';
import type { Faults } from './faults.ts';
import { LogReading } from './log-reading.ts';
import { endOf, type LogServer } from './log-server.ts';
import type { Network } from './network.ts';
import { HARM_MS } from './points.ts';
import type { Process } from './process.ts';

export interface LogHouse {
  readonly server: LogServer;
  readonly faults: Faults;
  readonly network: Network;
  readonly readings: Set<LogReading>;
  /** Told of each batch that a room hears. */
  onHeard(by: Process, batch: HeardBatch): void;
}

/** NATS' limit for an atomic batch. */
const BATCH = 1_000;

export class LogDoor implements Log {
  readonly #house: LogHouse;
  readonly #process: Process;
  /** How far each stream had come when it was last heard (`edge/nats/log.ts`). */
  readonly heard: Partial<Record<Speaker, Memory>> = {};
  /** When the present life began to hear. */
  #bornMs = 0;

  constructor(house: LogHouse, process: Process) {
    this.#house = house;
    this.#process = process;
  }

  async *hear(streams: readonly Speaker[], signal: AbortSignal): AsyncGenerator<HeardBatch> {
    const { server, network, faults, readings } = this.#house;
    await this.#connect(signal);
    const mine = new LogReading(server, streams, faults, network, this.#process);
    readings.add(mine);
    this.#bornMs = this.#process.scheduler.nowMs;
    const stop = (): void => mine.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted) {
        const batch = await mine.next();
        if (batch === undefined) return;
        this.#house.onHeard(this.#process, batch);
        yield batch;
      }
    } finally {
      for (const [speaker, memory] of mine.memories()) this.heard[speaker] = memory;
      mine.close();
      readings.delete(mine);
      signal.removeEventListener('abort', stop);
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { server, network } = this.#house;
    do {
      const waitMs = Math.max(0, server.awayUntilMs - this.#process.scheduler.nowMs);
      await abortable(network.back(this.#process, 'connect', waitMs), signal);
    } while (server.awayUntilMs > this.#process.scheduler.nowMs);
  }

  async speak(
    speaker: Speaker,
    says: readonly Saying[],
    last: number,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const sequences: number[] = [];
    for (let from = 0; from < says.length; from += BATCH) {
      const batch = says.slice(from, from + BATCH);
      const added = await this.#append(speaker, batch, sequences.at(-1) ?? last, signal);
      sequences.push(...added.map(({ sequence }) => sequence));
    }
    return sequences;
  }

  /** A run of a few lands one by one: whoever dies in between leaves a beginning (law 6). */
  async #append(
    speaker: Speaker,
    says: readonly Saying[],
    last: number,
    signal: AbortSignal,
  ): Promise<readonly Heard[]> {
    const { faults } = this.#house;
    const inParts = says.length > 1 && faults.befalls('log publish in parts');
    const cut = inParts ? this.#process.draw.between(1, says.length - 1) : says.length;
    const first = await this.#post(speaker, says.slice(0, cut), last, signal);
    if (cut === says.length) return first;
    const end = first.at(-1)?.sequence ?? last;
    return [...first, ...(await this.#post(speaker, says.slice(cut), end, signal))];
  }

  async #post(
    speaker: Speaker,
    says: readonly Saying[],
    last: number,
    signal: AbortSignal,
  ): Promise<readonly Heard[]> {
    const { server, network, faults } = this.#house;
    const harm = faults.points.at('append', this.#process.name);
    const chance = this.#process.draw;
    const slowMs = faults.befalls('log publish slow') ? chance.between(500, 20_000) : 0;
    const lateMs = harm === 'delay' ? HARM_MS : slowMs;
    do {
      const waitMs = Math.max(0, server.awayUntilMs - this.#process.scheduler.nowMs);
      await abortable(network.go(this.#process, `speak ${speaker}`, waitMs + lateMs), signal);
    } while (server.awayUntilMs > this.#process.scheduler.nowMs);
    const added = this.#land(speaker, says, last);
    if (harm === 'crash') this.#process.crash();
    const lost = faults.befalls('log acknowledgement lost') || harm === 'lose the answer';
    await abortable(network.back(this.#process, 'spoke', lost ? 2_000 : 0), signal);
    if (added instanceof StaleWriter) throw added;
    if (lost) this.#lookBack(speaker, added);
    return added;
  }

  #land(speaker: Speaker, says: readonly Saying[], last: number): readonly Heard[] | StaleWriter {
    try {
      const author = { name: this.#process.name, bornMs: this.#bornMs };
      return this.#house.server.append(speaker, says, last, author);
    } catch (error) {
      if (error instanceof StaleWriter) return error;
      throw error;
    }
  }

  /** After an attempt without an answer the door looks what of it is on the stream. */
  #lookBack(speaker: Speaker, added: readonly Heard[]): void {
    const stream = this.#house.server.stream(speaker);
    const end = added.at(-1);
    if (end !== undefined && (endOf(stream) !== end.sequence || stream.events.at(-1) !== end))
      throw new StaleWriter(`stream ${speaker} is not as it was left`);
  }
}

/** Rejects with the signal's reason when that aborts first. */
function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
  });
}
