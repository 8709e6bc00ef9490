/** The pace of a room: the event loop breathes, and many small turns become a few larger ones. */
import type { Clock } from '../core/door.ts';

/** The longest that folding or deciding may hold up the event loop. */
const BREATH_MS = 2;

export class Pace {
  readonly #clock: Clock;
  readonly #paceMs: number;
  readonly #signal: AbortSignal;
  #breathedMs: number;
  #spokeMs = -Infinity;
  #waking = false;

  constructor(clock: Clock, paceMs: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#paceMs = paceMs;
    this.#signal = signal;
    this.#breathedMs = clock.nowMs();
  }

  /** Lets other work in, when it is time. */
  async breathe(): Promise<void> {
    const agoMs = this.#clock.nowMs() - this.#breathedMs;
    if (agoMs >= 0 && agoMs < BREATH_MS) return;
    await this.#clock.breathe();
    this.#breathedMs = this.#clock.nowMs();
  }

  /** After a turn that began then: waits for more to think about. */
  async rest(startedMs: number): Promise<void> {
    const restMs = this.#restMs(startedMs);
    if (restMs > 0) await this.#clock.sleep(restMs, this.#signal);
  }

  spoke(): void {
    this.#spokeMs = this.#clock.nowMs();
  }

  /** Something was said a moment ago: what there is now may wait, and `wake` is called in time. */
  mayWait(wake: () => void): boolean {
    const restMs = this.#restMs(this.#spokeMs);
    if (restMs <= 0) return false;
    if (this.#waking) return true;
    this.#waking = true;
    void this.#clock.sleep(restMs, this.#signal).then(() => {
      this.#waking = false;
      wake();
    });
    return true;
  }

  /** A clock that was put back meanwhile holds up nobody. */
  #restMs(sinceMs: number): number {
    const agoMs = this.#clock.nowMs() - sinceMs;
    return agoMs < 0 ? 0 : this.#paceMs - agoMs;
  }
}
