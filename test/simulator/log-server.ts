/** The event log of the simulation: streams, their fence, and how they lose what they promised. */
import { must } from '../../core/assert.ts';
import { StaleWriter } from '../../core/door.ts';
import { type Heard, type Saying, type Speaker, speakers } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import type { Scheduler } from './scheduler.ts';

/** A stream that was replaced is another object: whoever read the old one notices. */
export interface Stream {
  readonly events: Heard[];
}

/** An event as it came onto the log, and by which process. */
export interface Append {
  readonly heard: Heard;
  readonly by: string;
  /** By the scheduler's clock; the speaker's own may be wrong. */
  readonly atMs: number;
}

export class LogServer {
  readonly #scheduler: Scheduler;
  readonly #streams = new Map<Speaker, Stream>();
  /** Nobody is answered before. */
  awayUntilMs = 0;
  /** Everything that was ever on the log, lost or not. */
  readonly appends: Append[] = [];
  /** How often something that was acknowledged was lost. */
  losses = 0;
  /**
   * A stream lost its end, though acknowledged: what was decided or seen before is believed again
   * until it is told anew. That this is not noticed at once is known (docs/reliability.md).
   */
  tailLost = false;
  onAppend: (append: Append) => void = () => undefined;
  /** Called when there is news for readers. */
  onNews: (speaker: Speaker) => void = () => undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  stream(speaker: Speaker): Stream {
    const known = this.#streams.get(speaker);
    if (known !== undefined) return known;
    const stream: Stream = { events: [] };
    this.#streams.set(speaker, stream);
    return stream;
  }

  /** The last event of each subject, in order. */
  lasts(speaker: Speaker): readonly Heard[] {
    const last = new Map<string, Heard>();
    for (const heard of this.stream(speaker).events) last.set(subjectOf(heard), heard);
    return [...last.values()].sort((a, b) => a.sequence - b.sequence);
  }

  /** The last sequences are the guard: all of the sayings land, or none. */
  append(speaker: Speaker, says: readonly Saying[], last: number, by: string): readonly Heard[] {
    const { events } = this.stream(speaker);
    if (events.length !== last)
      throw new StaleWriter(`stream ${speaker} is at ${events.length}, not at ${last}`);
    const added = says.map((saying, index) => {
      const bytes = encode({ atMs: this.#scheduler.nowMs, ...saying });
      const said = must(decode(bytes), `the event "${saying.said}" as it was read back`);
      const heard: Heard = { stream: speaker, sequence: last + index + 1, ...said };
      events.push(heard);
      return heard;
    });
    for (const heard of added) {
      const append = { heard, by, atMs: this.#scheduler.nowMs };
      this.appends.push(append);
      this.onAppend(append);
    }
    this.onNews(speaker);
    return added;
  }

  /** A power failure: what was acknowledged last is gone, and its sequences are given anew. */
  loseTail(speaker: Speaker, count: number): number {
    const lost = this.stream(speaker).events.splice(-count).length;
    if (lost > 0) {
      this.losses++;
      this.tailLost = true;
    }
    this.onNews(speaker);
    return lost;
  }

  /** The streams are gone; they begin anew and empty. */
  lose(lost: readonly Speaker[] = speakers): void {
    this.losses++;
    for (const speaker of lost) this.#streams.set(speaker, { events: [] });
    for (const speaker of lost) this.onNews(speaker);
  }
}

export function subjectOf({ event }: Heard): string {
  const { kind, name } = topicOf(event);
  return `${kind} ${name}`;
}
