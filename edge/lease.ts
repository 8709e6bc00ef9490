/** Which of a room's replicas leads: it holds a lease, and knows when it may still believe so. */
import { StaleWriter } from '../core/door.ts';
import { type LeaseClock, usualClock } from './lease-clock.ts';
import { LIFE_MS, Patience } from './lease-patience.ts';
import type { Candidate, LeaseStore } from './lease-store.ts';

/** Its holder stops believing in it so much earlier: clocks differ, and a request travels. */
const MARGIN_MS = 500;
const RENEW_MS = 1_000;
/** How often who stands by looks, and who got no answer asks again. */
const LOOK_MS = 250;

/**
 * Invariant: `mayWrite()` is true only within LIFE_MS - MARGIN_MS after a renewal was sent that the
 * store then accepted; another replica leads only when it has seen one revision for LIFE_MS, or the
 * lease was given back, or the holder was this very instance before it was restarted.
 */
export class Lease {
  readonly #store: LeaseStore;
  readonly #me: Candidate;
  readonly #clock: LeaseClock;
  #patience: Patience;
  #trouble = '';
  #revision = 0;
  #term = '';
  #renewed = { monotonicMs: -Infinity, nowMs: -Infinity };
  #over = new AbortController();
  #renewing: Promise<void> = Promise.resolve();

  constructor(store: LeaseStore, me: Candidate, clock: LeaseClock = usualClock) {
    this.#store = store;
    this.#me = me;
    this.#clock = clock;
    this.#patience = new Patience(me.instance);
  }

  get leads(): boolean {
    return this.#term !== '';
  }

  /** Who leads, once it was seen to be alive; '' when that is not known, or this one leads. */
  get standsBy(): string {
    return this.leads ? '' : this.#patience.alive;
  }

  /** Why the lease cannot be read, or ''. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Aborts when another replica leads. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether a request that changes something may be sent at this very moment. */
  mayWrite(): boolean {
    const { monotonicMs, nowMs } = this.#renewed;
    const ago = Math.max(this.#clock.monotonicMs() - monotonicMs, this.#clock.nowMs() - nowMs);
    return this.leads && ago < LIFE_MS - MARGIN_MS;
  }

  /** Stands by until it leads, or `signal` aborts. */
  async lead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.leads) {
      try {
        await this.#look();
        this.#trouble = '';
      } catch (error) {
        this.#trouble = error instanceof Error ? error.message : String(error);
      }
      if (!this.leads) await this.#clock.sleep(LOOK_MS, signal);
    }
  }

  /** Gives the lease back, so that another need not wait for its end; gives up after 1 s. */
  async release(): Promise<void> {
    if (!this.leads) return;
    const term = this.#term;
    this.#end();
    const waited = new AbortController();
    const given = this.#renewing
      .then(() => this.#store.put({ holder: '', instance: '', term }, this.#revision))
      .catch(() => undefined);
    await Promise.race([given, this.#clock.sleep(1_000, waited.signal)]);
    waited.abort();
  }

  async #look(): Promise<void> {
    const held = await this.#store.read();
    if (this.#patience.isFree(held, this.#clock.monotonicMs())) await this.#take(held.revision);
  }

  async #take(revision: number): Promise<void> {
    const term = this.#store.unique();
    this.#patience.tries(term);
    const asked = this.#time();
    const taken = await this.#store.put({ ...this.#me, term }, revision);
    if (taken === undefined) return;
    // From now on it knows of no predecessor in its place.
    this.#patience = new Patience('');
    this.#term = term;
    this.#revision = taken;
    this.#renewed = asked;
    this.#over = new AbortController();
    this.#renewing = this.#renew(this.#over.signal);
  }

  async #renew(signal: AbortSignal): Promise<void> {
    for (let pauseMs = RENEW_MS; ; ) {
      await this.#clock.sleep(pauseMs, signal);
      if (signal.aborted) return;
      try {
        const known = await this.#renewOnce();
        pauseMs = known ? RENEW_MS : 0;
      } catch {
        // A stream that was lost is made anew by whoever reads and may.
        await this.#store.read().catch(() => undefined);
        pauseMs = LOOK_MS;
      }
    }
  }

  /** False when it was refused, though nobody else leads: an attempt without answer had landed. */
  async #renewOnce(): Promise<boolean> {
    const words = { ...this.#me, term: this.#term };
    const asked = this.#time();
    const revision = await this.#store.put(words, this.#revision);
    if (revision !== undefined) {
      this.#revision = revision;
      this.#renewed = asked;
      return true;
    }
    const held = await this.#store.read();
    if (held.term === words.term && held.holder !== '') this.#revision = held.revision;
    else this.#end();
    return false;
  }

  #end(): void {
    this.#term = '';
    this.#over.abort(new StaleWriter('another replica leads'));
  }

  #time(): { readonly monotonicMs: number; readonly nowMs: number } {
    return { monotonicMs: this.#clock.monotonicMs(), nowMs: this.#clock.nowMs() };
  }
}
