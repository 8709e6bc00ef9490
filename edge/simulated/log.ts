/** An event log in memory with the rules of the real one: sequences, fence, loss. */
import { must } from '../../core/assert.ts';
import type { Clock, HeardBatch, Log } from '../../core/door.ts';
import { StaleWriter } from '../../core/door.ts';
import { type Heard, type Saying, type Speaker, speakers } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { decode, encode } from '../protobuf.ts';
import { type Activity, Bell, round } from './activity.ts';

/** A stream that was lost is another object: who reads the old one notices. */
interface Stream {
  readonly events: Heard[];
}

interface Reading {
  readonly speaker: Speaker;
  readonly stream: Stream;
  at: number;
}

/** NATS' limit for an atomic batch; also how many events one reading brings. */
const BATCH = 1_000;

export class SimulatedLog implements Log {
  readonly #activity: Activity;
  readonly #clock: Clock;
  readonly #bell = new Bell();
  readonly #streams = new Map<Speaker, Stream>();
  /** Told of every event once it is on the log. */
  onHeard: (heard: Heard) => void = () => undefined;

  constructor(activity: Activity, clock: Clock) {
    this.#activity = activity;
    this.#clock = clock;
  }

  /** All events of a stream since it began, in order. */
  events(speaker: Speaker): readonly Heard[] {
    return this.#stream(speaker).events;
  }

  /** Loses streams with all that is on them; they begin anew and empty. */
  lose(lost: readonly Speaker[] = speakers): void {
    for (const speaker of lost) this.#streams.set(speaker, { events: [] });
    this.#bell.ring();
  }

  async *hear(names: readonly Speaker[], signal: AbortSignal): AsyncGenerator<HeardBatch> {
    const readings = names.map(
      (speaker): Reading => ({ speaker, stream: this.#stream(speaker), at: 0 }),
    );
    await this.#activity.during(round);
    for (const reading of readings) yield* this.#past(reading);
    while (!signal.aborted) {
      const news = readings.filter(({ stream, at }) => stream.events.length > at);
      for (const reading of readings) this.#check(reading);
      for (const reading of news) yield this.#news(reading);
      if (news.length > 0) continue;
      await this.#bell.rung(signal);
      await this.#activity.during(round);
    }
  }

  /** The last event of each subject, in batches. */
  *#past(reading: Reading): Generator<HeardBatch> {
    const last = new Map<string, Heard>();
    for (const heard of reading.stream.events) last.set(subjectOf(heard), heard);
    const events = [...last.values()].sort((a, b) => a.sequence - b.sequence);
    reading.at = reading.stream.events.length;
    for (let from = 0; from === 0 || from < events.length; from += BATCH) {
      const batch = events.slice(from, from + BATCH);
      const pending = Math.max(0, events.length - from - BATCH);
      this.#activity.note();
      yield { stream: reading.speaker, events: batch, pending };
    }
  }

  #news(reading: Reading): HeardBatch {
    const events = reading.stream.events.slice(reading.at, reading.at + BATCH);
    reading.at += events.length;
    this.#activity.note();
    const pending = reading.stream.events.length - reading.at;
    return { stream: reading.speaker, events, pending };
  }

  #check({ speaker, stream }: Reading): void {
    if (this.#stream(speaker) !== stream) throw new StaleWriter(`stream ${speaker} was replaced`);
  }

  async speak(
    speaker: Speaker,
    says: readonly Saying[],
    last: number,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    return await this.#activity.during(async () => {
      const sequences: number[] = [];
      for (let from = 0; from < says.length; from += BATCH) {
        await round();
        signal.throwIfAborted();
        const batch = says.slice(from, from + BATCH);
        sequences.push(...this.#append(speaker, batch, sequences.at(-1) ?? last));
      }
      return sequences;
    });
  }

  #append(speaker: Speaker, says: readonly Saying[], last: number): number[] {
    const { events } = this.#stream(speaker);
    if (events.length !== last)
      throw new StaleWriter(`stream ${speaker} is at ${events.length}, not at ${last}`);
    const sequences = says.map((saying, index) => {
      const bytes = encode({ atMs: this.#clock.nowMs(), ...saying });
      const said = must(decode(bytes), `the event "${saying.said}" as it was read back`);
      const heard: Heard = { stream: speaker, sequence: last + index + 1, ...said };
      events.push(heard);
      this.onHeard(heard);
      return heard.sequence;
    });
    this.#bell.ring();
    return sequences;
  }

  #stream(speaker: Speaker): Stream {
    const known = this.#streams.get(speaker);
    if (known !== undefined) return known;
    const stream: Stream = { events: [] };
    this.#streams.set(speaker, stream);
    return stream;
  }
}

function subjectOf({ event }: Heard): string {
  const { kind, name } = topicOf(event);
  return `${kind} ${name}`;
}
