/** An ordered pull consumer of one stream: without gaps, without repeats, with back pressure. */
import { StaleWriter } from '../../core/door.ts';
import { isTransient, json, streamInfo } from './api.ts';
import type { Start } from './consumer.ts';
import { createConsumer, standingOf } from './consumer.ts';
import type { Memory } from './memory.ts';
import { recognise } from './memory.ts';
import { backOff } from './pause.ts';
import { lookEveryMs, Pulls, pull } from './pulls.ts';
import type { Arrived, Delivered, Reading } from './reading.ts';
import type { Delivery } from './wire.ts';
import { Unanswered } from './wire.ts';

export class Reader {
  readonly #reading: Reading;
  #start: Start;
  #created = '';
  #waiting: Delivered[] = [];
  #pending: number | undefined;
  #told: number | undefined;
  #last: Delivered | undefined;
  #delivered = 0;
  #pulls: Pulls | undefined;
  #restart: () => void = () => {};
  #failures = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#start = reading.start;
  }

  /** All that waits; undefined when there is nothing new to tell. Asks the server for more. */
  take(): Arrived | undefined {
    if (this.#waiting.length === 0 && this.#pending === this.#told) return undefined;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#told = this.#pending;
    this.#pulls?.refill(0);
    return { messages, pending: this.#pending ?? 0 };
  }

  /** Reads until `signal` aborts. Throws StaleWriter when the stream was deleted or replaced. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#read(signal);
    } finally {
      this.#reading.leave?.(this.#memory());
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; this.#failures += 1) {
      try {
        await this.#reading.wire.ready(signal);
        if (this.#created === '') await this.#meet();
        await this.#session(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) throw error;
      }
      await backOff(this.#failures, signal);
    }
  }

  async #meet(): Promise<void> {
    const { wire, stream, ensure } = this.#reading;
    await ensure();
    const info = await streamInfo(wire, stream);
    if (!info) throw new Unanswered(`stream ${stream} is not there yet`);
    this.#created = info.created;
    // From here on, and not from the moment of a later reconnection: nothing is missed.
    if (this.#start.at !== 'new') return;
    this.#start = { at: 'sequence', sequence: info.state.last_seq + 1 };
  }

  /** One consumer, from its creation until something is amiss with it. */
  async #session(signal: AbortSignal): Promise<void> {
    const { wire, stream } = this.#reading;
    const over = new Promise<void>((resolve) => (this.#restart = resolve));
    const name = wire.unique();
    const subscription = wire.subscribe((delivery) => this.#hear(delivery));
    const ignore = wire.onChange(this.#restart);
    signal.addEventListener('abort', this.#restart);
    const watch = setInterval(() => this.#pulls?.overdue() && this.#restart(), lookEveryMs);
    try {
      await this.#open(name, subscription.inbox);
      if (!signal.aborted) await over;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', this.#restart);
      ignore();
      this.#pulls = undefined;
      subscription.close();
      const nobody = `${subscription.inbox}.closed`;
      wire.publish(`$JS.API.CONSUMER.DELETE.${stream}.${name}`, json({}), {}, nobody);
    }
  }

  async #open(name: string, inbox: string): Promise<void> {
    const { wire, stream, filter } = this.#reading;
    const { sequence } = this.#memory();
    const start: Start = sequence > 0 ? { at: 'sequence', sequence: sequence + 1 } : this.#start;
    const pending = await createConsumer(wire, stream, { name, filter, start });
    if (pending === undefined) throw new StaleWriter(`stream ${stream} is gone`);
    // Only now: a stream that is replaced later takes the consumer with it, and that is heard.
    await recognise(wire, stream, this.#memory());
    this.#delivered = 0;
    const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
    this.#pulls = new Pulls((batch) => {
      wire.publish(next, json({ ...pull, batch }), {}, inbox);
    });
    this.#pulls.refill(this.#waiting.length);
    if (pending === 0) this.#reached(0);
  }

  #memory(): Memory {
    const last = this.#last;
    const id = last?.delivery.header('ce-id') ?? '';
    return { created: this.#created, sequence: last?.sequence ?? 0, id };
  }

  #hear(delivery: Delivery): void {
    this.#pulls?.alive();
    if (delivery.status !== 0) return this.#obey(delivery);
    this.#failures = 0;
    const { sequence, delivered, pending } = standingOf(delivery.reply);
    const inOrder = delivered === this.#delivered + 1 && sequence > (this.#last?.sequence ?? 0);
    if (!inOrder) return this.#restart();
    this.#delivered = delivered;
    this.#last = { delivery, sequence };
    this.#waiting.push(this.#last);
    this.#pulls?.settle(1);
    this.#pulls?.refill(this.#waiting.length);
    this.#reached(pending);
  }

  #reached(pending: number): void {
    this.#pending = pending;
    this.#reading.ring();
  }

  /** A word of the server: a heartbeat, a pull that ran out, or the end of the consumer. */
  #obey({ status, header }: Delivery): void {
    if (status === 100) return void (this.#failures = 0);
    const unused = Number(header('Nats-Pending-Messages'));
    if (status === 503 || status === 409 || unused === 0) return this.#restart();
    this.#pulls?.settle(unused);
    this.#pulls?.refill(this.#waiting.length);
  }
}
