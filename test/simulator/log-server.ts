/** The event log of the simulation: streams, their fence, and how they lose what they promised. */
import { must } from '../../core/assert.ts';
import { StaleWriter } from '../../core/door.ts';
import { type Heard, type Saying, type Speaker, speakers } from '../../core/event.ts';
import { topicOf } from '../../core/subject.ts';
import { LEFT_OUT } from '../../edge/nats/stream.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import { LeaseStream } from './log-lease.ts';
import type { Scheduler } from './scheduler.ts';

/** A stream that was replaced is another object: whoever read the old one notices. */
export interface Stream {
  /** When it was made; no two of them were made at the same time. */
  readonly created: string;
  /** The sequence before its first one. */
  readonly base: number;
  readonly events: Heard[];
}

export const endOf = ({ base, events }: Stream): number => base + events.length;

/** Who speaks: a process, and when it began to hear the log in its present life. */
export interface Author {
  readonly name: string;
  readonly bornMs: number;
}

/** An event as it came onto the log, and by which process. */
export interface Append {
  readonly heard: Heard;
  readonly by: string;
  /** By the scheduler's clock; the speaker's own may be wrong. */
  readonly atMs: number;
  /** When the life began that said it. */
  readonly bornMs: number;
  /** What stood before it on its stream. */
  readonly before: Heard | undefined;
}

/** A time at which something was lost that had been acknowledged. */
export interface Loss {
  readonly atMs: number;
  readonly kind: 'tail' | 'streams' | 'all' | 'void';
}

export class LogServer {
  readonly #scheduler: Scheduler;
  readonly #streams = new Map<Speaker, Stream>();
  readonly #ids = new WeakMap<Heard, string>();
  #made = 0;
  /** Nobody is answered before. */
  awayUntilMs = 0;
  /** Everything that was ever on the log, lost or not. */
  readonly appends: Append[] = [];
  /** The history stream: what all said, kept when a stream is lost. */
  history: Heard[] = [];
  readonly #inHistory = new Map<Speaker, number>();
  readonly lost: Loss[] = [];
  readonly leases: LeaseStream;
  onAppend: (append: Append) => void = () => undefined;
  /** Called when there is news for readers. */
  onNews: (speaker: Speaker) => void = () => undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.leases = new LeaseStream(() => scheduler.nowMs);
  }

  /** How often something that was acknowledged was lost. */
  get losses(): number {
    return this.lost.length;
  }

  stream(speaker: Speaker): Stream {
    return this.#streams.get(speaker) ?? this.#make(speaker);
  }

  /** It goes on far behind what the history knows of its predecessor (`edge/nats/stream.ts`). */
  #make(speaker: Speaker): Stream {
    const date = new Date(this.#scheduler.nowMs).toISOString().slice(0, -1);
    const created = `${date}${String(++this.#made).padStart(6, '0')}Z`;
    const known = this.#inHistory.get(speaker);
    const base = known === undefined ? 0 : known + LEFT_OUT;
    const stream: Stream = { created, base, events: [] };
    this.#streams.set(speaker, stream);
    return stream;
  }

  at(speaker: Speaker, sequence: number): Heard | undefined {
    const { base, events } = this.stream(speaker);
    return events[sequence - base - 1];
  }

  /** The identity of a message; no other one has it. */
  idOf(heard: Heard): string {
    return this.#ids.get(heard) ?? '';
  }

  /** The last event of each subject, in order. */
  lasts(speaker: Speaker): readonly Heard[] {
    const last = new Map<string, Heard>();
    for (const heard of this.stream(speaker).events) last.set(subjectOf(heard), heard);
    return [...last.values()].sort((a, b) => a.sequence - b.sequence);
  }

  /** The last sequences are the guard: all of the sayings land, or none. */
  append(speaker: Speaker, says: readonly Saying[], last: number, by: Author): readonly Heard[] {
    const stream = this.stream(speaker);
    const end = endOf(stream);
    // Who knows nothing of a stream without a message misses nothing (`edge/nats/look-back.ts`).
    const isNew = last === 0 && stream.events.length === 0;
    if (end !== last && !isNew)
      throw new StaleWriter(`stream ${speaker} is at ${end}, not at ${last}`);
    const added = says.map((saying, index) =>
      this.#store(stream, speaker, saying, end + index + 1),
    );
    const atMs = this.#scheduler.nowMs;
    for (const heard of added) {
      const before = this.at(speaker, heard.sequence - 1);
      const append = { heard, by: by.name, atMs, bornMs: by.bornMs, before };
      this.appends.push(append);
      this.onAppend(append);
    }
    this.onNews(speaker);
    return added;
  }

  #store({ events }: Stream, speaker: Speaker, saying: Saying, sequence: number): Heard {
    const bytes = encode({ atMs: this.#scheduler.nowMs, ...saying });
    const said = must(decode(bytes), `the event "${saying.said}" as it was read back`);
    const heard: Heard = { stream: speaker, sequence, ...said };
    events.push(heard);
    this.#ids.set(heard, `message-${this.appends.length}-${sequence}`);
    // It goes on from the sequence that it knows: what is given again is not sourced again.
    if (sequence <= (this.#inHistory.get(speaker) ?? 0)) return heard;
    this.#inHistory.set(speaker, sequence);
    this.history.push(heard);
    return heard;
  }

  /** A power failure: what was acknowledged last is gone, and its sequences are given anew. */
  loseTail(speaker: Speaker, count: number): number {
    const lost = this.stream(speaker).events.splice(-count).length;
    if (lost > 0) this.#lost('tail');
    this.onNews(speaker);
    return lost;
  }

  /**
   * The streams are gone; they begin anew and empty. Whoever loses all has no history, no leases.
   */
  lose(lost: readonly Speaker[] = speakers): void {
    const all = lost.length === speakers.length;
    this.#lost(all ? 'all' : 'streams');
    if (all) {
      this.history = [];
      this.leases.lose();
      this.#inHistory.clear();
    }
    this.#replace(lost);
  }

  /** The log was made void: whatever rooms said is deleted, their history stays. */
  void(speaker: Speaker): void {
    this.#lost('void');
    this.#replace([speaker]);
  }

  #lost(kind: Loss['kind']): void {
    this.lost.push({ atMs: this.#scheduler.nowMs, kind });
  }

  #replace(lost: readonly Speaker[]): void {
    for (const speaker of lost) this.#make(speaker);
    for (const speaker of lost) this.onNews(speaker);
  }
}

export function subjectOf({ event }: Heard): string {
  const { kind, name } = topicOf(event);
  return `${kind} ${name}`;
}
