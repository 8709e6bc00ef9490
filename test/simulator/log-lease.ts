/** The stream of leases as the simulated server keeps it: one word a room, each with its guard. */

interface Word {
  readonly revision: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who leads a room from a time on; '' = nobody: it was given back, or the stream was lost. */
export interface Led {
  readonly room: string;
  readonly by: string;
  readonly fromMs: number;
}

export class LeaseStream {
  readonly #nowMs: () => number;
  #exists = false;
  #last = 0;
  readonly #words = new Map<string, Word>();
  /** Each change of who leads, in order. */
  readonly led: Led[] = [];
  /** When the stream was lost: it tells nothing of its last holders. */
  readonly lostMs: number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get exists(): boolean {
    return this.#exists;
  }

  make(): void {
    this.#exists = true;
  }

  get(room: string): Word | undefined {
    return this.#words.get(room);
  }

  /** The new revision; undefined when the stored one is another than `guard`. */
  put(room: string, headers: Word['headers'], guard: number): number | undefined {
    if ((this.#words.get(room)?.revision ?? 0) !== guard) return undefined;
    const revision = ++this.#last;
    this.#words.set(room, { revision, headers });
    this.#tell(room, headers['Holder'] ?? '');
    return revision;
  }

  #tell(room: string, by: string): void {
    if (this.leaderAt(room, Infinity) !== by) this.led.push({ room, by, fromMs: this.#nowMs() });
  }

  lose(): void {
    for (const room of this.#words.keys()) this.#tell(room, '');
    this.lostMs.push(this.#nowMs());
    this.#words.clear();
    this.#last = 0;
    this.#exists = false;
  }

  /** Whose word was the last one then. */
  leaderAt(room: string, atMs: number): string {
    return this.led.findLast((one) => one.room === room && one.fromMs <= atMs)?.by ?? '';
  }
}
