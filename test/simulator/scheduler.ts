/** One seeded scheduler: whatever waits for anything goes on when this says so, one at a time. */
import { createHash } from 'node:crypto';
import type { Draw } from './draw.ts';
import { Heap } from './heap.ts';
import type { Process } from './process.ts';

export interface Job {
  readonly dueMs: number;
  /** Among those due at the same time, chance decides. */
  readonly tie: number;
  readonly order: number;
  /** Undefined: the network and the servers, which nobody pauses. */
  readonly owner: Process | undefined;
  readonly what: string;
  readonly run: () => void;
  cancelled: boolean;
}

const before = (a: Job, b: Job): boolean => {
  if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie;
};

/** Many short parts would cost more than a long one. */
const HASH_PART = 65_536;

/** Lets all promises go on that can: there is no other source of work than this scheduler. */
const drained = (): Promise<void> => new Promise((resolve) => void nextRound(resolve));
const nextRound = setImmediate;

export class Scheduler {
  nowMs: number;
  /** Jobs that were run. */
  jobs = 0;
  readonly #draw: Draw;
  readonly #heap = new Heap<Job>(before);
  readonly #hash = createHash('sha256');
  #unhashed = '';
  #order = 0;

  constructor(draw: Draw, beginningMs: number) {
    this.#draw = draw;
    this.nowMs = beginningMs;
  }

  /** What is done later: by `owner`, so that it waits while that is paused, and dies with it. */
  after(delayMs: number, owner: Process | undefined, what: string, run: () => void): Job {
    const dueMs = this.nowMs + Math.max(0, delayMs);
    return this.#put({ dueMs, tie: this.#draw.next(), owner, what, run });
  }

  #put(job: Omit<Job, 'order' | 'cancelled'>): Job {
    const put: Job = { ...job, order: ++this.#order, cancelled: false };
    this.#heap.push(put);
    return put;
  }

  /** Part of the trace, whose hash tells two runs apart. */
  trace(text: string): void {
    this.#unhashed += `${this.nowMs} ${text}\n`;
    if (this.#unhashed.length < HASH_PART) return;
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }

  /** SHA-256 of the whole trace; to be asked for once, at the end. */
  digest(): string {
    return this.#hash.update(this.#unhashed).digest('hex');
  }

  /** Runs all jobs that are due until then, or until `over`. */
  async runUntil(endMs: number, over: () => boolean = () => false): Promise<void> {
    await drained();
    while (!over()) {
      const next = this.#heap.peek();
      if (next === undefined || next.dueMs > endMs) break;
      this.#heap.pop();
      const { owner } = next;
      if (next.cancelled || owner?.dead === true) continue;
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      if (owner !== undefined && owner.pausedUntilMs > this.nowMs) {
        const { tie, what, run } = next;
        const later = this.#put({ dueMs: owner.pausedUntilMs, tie, owner, what, run });
        redirect(next, later);
        continue;
      }
      this.jobs++;
      this.trace(`${owner?.name ?? '-'} ${next.what}`);
      if (owner === undefined) next.run();
      else owner.within(next.run);
      await drained();
    }
    if (!over()) this.nowMs = Math.max(this.nowMs, endMs);
  }
}

/** Whoever holds the old job can still cancel it. */
function redirect(old: Job, later: Job): void {
  Object.defineProperty(old, 'cancelled', {
    get: () => later.cancelled,
    set: (value: boolean) => {
      later.cancelled = value;
    },
  });
}
