/** The pulls of one consumer: how much may still come, and whether a sign of life is overdue. */

/** At most so many messages are under way or wait to be taken: the back pressure. */
const window = 1_000;
/** The server tells when a pull ran out, and that it is alive while one is open (ns). */
export const pull = { expires: 5e9, idle_heartbeat: 1e9 };
/** Three heartbeats. */
const silenceMs = 3_000;

export class Pulls {
  readonly #send: (count: number) => void;
  /** Messages that the open pulls may still bring. */
  #due = 0;
  #aliveMs = performance.now();

  /** `send` asks the server for so many messages. */
  constructor(send: (count: number) => void) {
    this.#send = send;
  }

  /** Asks for more when half of the window is free. */
  refill(waiting: number): void {
    const room = window - waiting - this.#due;
    if (room < window / 2) return;
    if (this.#due === 0) this.alive();
    this.#due += room;
    this.#send(room);
  }

  /** So many messages of a pull came, or will not come. */
  settle(count: number): void {
    this.#due -= count;
  }

  alive(): void {
    this.#aliveMs = performance.now();
  }

  /** The server owes messages or heartbeats and gives none: it, or the consumer, is gone. */
  overdue(): boolean {
    return this.#due > 0 && performance.now() - this.#aliveMs > silenceMs;
  }
}

export const lookEveryMs = silenceMs / 4;
