/** The points of a run at which one thing can go wrong: counted through, so that a plan can aim. */

/** A write to the cluster, words put on the log, a line of a watch, a batch heard from the log. */
export type Point = 'write' | 'append' | 'event' | 'heard';

/** What Sieve does to a controller, at one point. */
export type Harm = 'crash' | 'stale' | 'hide' | 'duplicate' | 'delay' | 'lose the answer';

export const harmsAt: Readonly<Record<Point, readonly Harm[]>> = {
  write: ['crash', 'delay', 'lose the answer'],
  append: ['crash', 'delay', 'lose the answer'],
  event: ['crash', 'stale', 'hide', 'duplicate', 'delay'],
  heard: ['crash', 'duplicate', 'delay'],
};

export interface Aim {
  readonly point: Point;
  readonly index: number;
  readonly harm: Harm;
}

/** How long whatever is hidden, late or stale is so. */
export const HARM_MS = 20_000;

export class Points {
  readonly counts: Record<Point, number> = { write: 0, append: 0, event: 0, heard: 0 };
  aim: Aim | undefined;
  /** Whether what was aimed at was hit. */
  struck = false;

  /** One more such point; what is to happen at it. */
  at(point: Point): Harm | undefined {
    const index = this.counts[point]++;
    if (this.aim?.point !== point || this.aim.index !== index) return undefined;
    this.struck = true;
    return this.aim.harm;
  }
}
