/** Replicas that stand for one lease, on clocks that a test moves by hand. */
import { Lease } from '../../edge/lease.ts';
import type { Held, LeaseStore } from '../../edge/lease-store.ts';

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/** One moment for all; each process may be frozen, and sees the time jump when it wakes up. */
export class Bench {
  nowMs = 0;
  stored: Held = { revision: 0, holder: '', instance: '', term: '' };
  /** What the next attempts to put come to: stored or not, and no answer comes. */
  silent: ('stored' | 'lost')[] = [];
  #numbers = 0;
  #sleepers: (Sleeper & { readonly owner: string })[] = [];
  readonly #frozen = new Set<string>();

  replica(holder: string, instance = ''): Lease {
    const clock = {
      monotonicMs: () => this.nowMs,
      nowMs: () => this.nowMs,
      sleep: (ms: number, signal: AbortSignal) => this.#sleep(holder, ms, signal),
    };
    return new Lease(this.#store(), { holder, instance }, clock);
  }

  freeze(holder: string): void {
    this.#frozen.add(holder);
  }

  /** What it slept through comes now. */
  async thaw(holder: string): Promise<void> {
    this.#frozen.delete(holder);
    await this.pass(0);
  }

  /** Time goes by; everybody who is not frozen does what is due, in order. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      await settle();
      const due = this.#sleepers
        .filter(({ owner, atMs }) => !this.#frozen.has(owner) && atMs <= endMs)
        .sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.nowMs = Math.max(this.nowMs, due.atMs);
      due.wake();
    }
    this.nowMs = endMs;
  }

  #store(): LeaseStore {
    return {
      read: () => Promise.resolve(this.stored),
      put: (words, revision) => {
        const fate = this.silent.shift();
        const known = revision === this.stored.revision;
        if (known && fate !== 'lost') this.stored = { ...words, revision: revision + 1 };
        if (fate !== undefined) return Promise.reject(new Error('no answer'));
        return Promise.resolve(known ? this.stored.revision : undefined);
      },
      unique: () => `term-${(this.#numbers += 1)}`,
    };
  }

  #sleep(owner: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      const sleeper = { owner, atMs: this.nowMs + ms, wake };
      if (signal.aborted) return resolve();
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', wake);
    });
  }
}

/** Whoever was woken up goes as far as it comes. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
