/**
 * What was recorded on an object lately, so that the same again is counted and a flood is summed
 * up.
 */
import type { Notice } from '../../core/decision.ts';

/** An Event that may become a series. */
interface Recorded {
  readonly event: string;
  /** How often it was seen; 1 = no series yet. */
  readonly count: number;
  readonly lastMs: number;
}

/** The same again within this time is one series; client-go ends a series after as long. */
const SERIES_MS = 6 * 60_000;
const MINUTE_MS = 60_000;
/** So many Events a minute are created on one object (`what-people-see`). */
const MOST = 10;
/** An Event's note can never be changed, so what is summed up is only counted. */
const SUMMARY =
  `more than ${MOST} events within a minute: further ones are counted here, ` +
  'and sluice tail shows them';

export type Entry =
  | { readonly kind: 'New'; readonly event: string; readonly notice: Notice }
  | {
      readonly kind: 'Again';
      readonly event: string;
      readonly count: number;
      readonly lastMs: number;
    };

export class Record {
  readonly #recent: ReadonlyMap<string, Recorded>;
  /** When Events were created during the last minute. */
  readonly #created: readonly number[];

  constructor(recent: ReadonlyMap<string, Recorded> = new Map(), created: readonly number[] = []) {
    this.#recent = recent;
    this.#created = created;
  }

  /** Somebody deleted the Events: nothing can be counted up any more, the rate stands. */
  forgotten(): Record {
    return new Record(new Map(), this.#created);
  }

  /**
   * How a notice is recorded, and what is known then. `event` = the name, should it be a new one.
   */
  plan(notice: Notice, event: string, atMs: number): { entry: Entry; after: Record } {
    const recent = new Map([...this.#recent].filter(([, { lastMs }]) => atMs - lastMs < SERIES_MS));
    const created = this.#created.filter((createdMs) => atMs - createdMs < MINUTE_MS);
    const own = keyOf(notice);
    const full = created.length >= MOST && !recent.has(own);
    const shown = full ? { ...notice, note: SUMMARY } : notice;
    const key = full ? SUMMARY : own;
    const known = recent.get(key);
    if (known !== undefined) {
      const count = known.count + 1;
      const lastMs = Math.max(atMs, known.lastMs);
      recent.set(key, { event: known.event, count, lastMs });
      const entry: Entry = { kind: 'Again', event: known.event, count, lastMs };
      return { entry, after: new Record(recent, created) };
    }
    recent.set(key, { event, count: 1, lastMs: atMs });
    const after = new Record(recent, full ? created : [...created, atMs]);
    return { entry: { kind: 'New', event, notice: shown }, after };
  }
}

const keyOf = ({ type, reason, note }: Notice): string => `${type} ${reason} ${note}`;
