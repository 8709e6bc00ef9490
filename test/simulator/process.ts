/** One process as the scheduler knows it: it can be paused, killed, and its clock can be wrong. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Lease } from '../../edge/lease.ts';
import type { Draw } from './draw.ts';
import type { Scheduler } from './scheduler.ts';

export class Process {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly draw: Draw;
  /** Ends the process in good order, as SIGTERM does. */
  readonly stop = new AbortController();
  /** Killed: nothing of it ever goes on. */
  dead = false;
  pausedUntilMs = 0;
  /** Kills it, as kill -9 does; it is started again. */
  crash: () => void = () => undefined;
  /** Lists show it the cluster as it was at this version, until then. */
  stale: { readonly version: number; readonly untilMs: number } | undefined;
  /** The version of which its last list of a collection was. */
  readonly listed = new Map<string, number>();
  /** How wrong its clock is. */
  offsetMs = 0;
  /** By which it knows whether it leads; undefined = it has no rivals. */
  lease: Lease | undefined;

  constructor(name: string, scheduler: Scheduler, draw: Draw) {
    this.name = name;
    this.scheduler = scheduler;
    this.draw = draw;
  }

  nowMs(): number {
    return this.scheduler.nowMs + this.offsetMs;
  }

  /** What the fences of the doors ask at the last moment. */
  mayWrite(): boolean {
    return this.lease?.mayWrite() !== false;
  }

  /** Runs work as this process does: its timers, its clock, its random numbers. */
  within<T>(work: () => T): T {
    return current.run(this, work);
  }
}

/** The process whose code runs now; undefined outside of a simulation. */
export const current = new AsyncLocalStorage<Process>();
