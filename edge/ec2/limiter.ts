/** The token buckets of EC2, kept on this side: a call waits for its turn, and is not refused. */
import type { Clock } from '../../core/door.ts';

interface Rate {
  readonly size: number;
  readonly perSecond: number;
  /** Tokens that are left to other programs of the account. */
  readonly reserve: number;
}

/** Per account and region and action, as documented (facts 1.5). */
const reads: Rate = { size: 100, perSecond: 20, reserve: 20 };
const rates: Readonly<Record<string, Rate>> = {
  CreateRouteServerPeer: { size: 50, perSecond: 5, reserve: 0 },
  DeleteRouteServerPeer: { size: 50, perSecond: 5, reserve: 0 },
  CreateTags: { size: 100, perSecond: 10, reserve: 10 },
  ModifyNetworkInterfaceAttribute: { size: 100, perSecond: 5, reserve: 10 },
};

/** Clocks differ, and calls overtake each other on the way: a little less than allowed is asked. */
const MARGIN = 0.97;

/** The pause after the first refusal; it doubles with each further one, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export class Limiter {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #pausedUntilMs = 0;
  #refusals = 0;

  /** `random` in [0, 1) spreads the pauses of several programs. */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Resolves when the call may be made, in the order of asking; says how long that took. */
  async take(action: string, signal: AbortSignal): Promise<number> {
    const beganMs = this.#clock.nowMs();
    const dueMs = this.#due(action, beganMs);
    if (dueMs > beganMs) await this.#clock.sleep(dueMs - beganMs, signal);
    for (;;) {
      const restMs = this.#pausedUntilMs - this.#clock.nowMs();
      if (restMs <= 0 || signal.aborted) return this.#clock.nowMs() - beganMs;
      await this.#clock.sleep(restMs, signal);
    }
  }

  /** When the next token is there; it is taken now, hence nobody overtakes. */
  #due(action: string, nowMs: number): number {
    const { size, perSecond, reserve } = rates[action] ?? reads;
    const bucket = this.#buckets.get(action) ?? { tokens: size - 1, atMs: nowMs };
    this.#buckets.set(action, bucket);
    const perMs = (perSecond * MARGIN) / 1000;
    bucket.tokens = Math.min(size - 1, bucket.tokens + (nowMs - bucket.atMs) * perMs);
    bucket.atMs = nowMs;
    bucket.tokens -= 1;
    return nowMs + Math.max(0, Math.ceil((reserve - bucket.tokens) / perMs));
  }

  /** The cloud refused all the same: everybody here waits, for other programs are at work. */
  refused(action: string): void {
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#refusals, LONGEST_PAUSE_MS);
    this.#refusals++;
    const untilMs = this.#clock.nowMs() + longest * (0.5 + this.#random() / 2);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
    const bucket = this.#buckets.get(action);
    if (bucket !== undefined) bucket.tokens = Math.min(bucket.tokens, 0);
  }

  accepted(): void {
    this.#refusals = 0;
  }
}
