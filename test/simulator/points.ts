/** The points of a run at which one thing can go wrong: counted through, so that a plan can aim. */

/**
 * A write to the cluster, a change in AWS, words put on the log, a line of a watch, a batch heard
 * from the log.
 */
export type Point = 'write' | 'call' | 'append' | 'event' | 'heard';

/** What Sieve does to a controller, at one point. */
export type Harm = 'crash' | 'stale' | 'hide' | 'duplicate' | 'delay' | 'lose the answer';

export const harmsAt: Readonly<Record<Point, readonly Harm[]>> = {
  write: ['crash', 'delay', 'lose the answer'],
  call: ['crash', 'delay', 'lose the answer'],
  append: ['crash', 'delay', 'lose the answer'],
  event: ['crash', 'stale', 'hide', 'duplicate', 'delay'],
  heard: ['crash', 'duplicate', 'delay'],
};

export interface Aim {
  readonly point: Point;
  readonly index: number;
  readonly harm: Harm;
}

/** A point that was passed. */
export interface Passed {
  readonly point: Point;
  readonly index: number;
  /** The process that wrote, spoke, or was told. */
  readonly by: string;
  /** It heard what it had said itself. */
  readonly echo: boolean;
}

/** How long whatever is hidden, late or stale is so. */
export const HARM_MS = 20_000;

export class Points {
  readonly counts: Record<Point, number> = { write: 0, call: 0, append: 0, event: 0, heard: 0 };
  /** All that were passed, in order; kept where plans are to be made of them. */
  trail: Passed[] | undefined;
  aim: Aim | undefined;
  /** Whether what was aimed at was hit. */
  struck = false;

  /** One more such point; what is to happen at it. */
  at(point: Point, by: string, echo = false): Harm | undefined {
    const index = this.counts[point]++;
    this.trail?.push({ point, index, by, echo });
    if (this.aim?.point !== point || this.aim.index !== index) return undefined;
    this.struck = true;
    return this.aim.harm;
  }
}
