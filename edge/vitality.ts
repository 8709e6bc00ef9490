/** How a room is doing, as its shell keeps track of it. */
import type { Reading } from '../core/room.ts';

/** How a room is doing, for `/readyz` and metrics; kept up to date by `live`. */
export interface Vitals {
  /** Whether this replica is the one that speaks; another stands by. */
  leads: boolean;
  /** How often an older copy of the log was found, ever; only the publisher looks. */
  rollbacks: number;
  caughtUp: boolean;
  heard: number;
  spoke: number;
  /** Said or heard last on the room's own stream. */
  last: number;
  /** Acts under way. */
  acting: number;
  /** How long the last decision took, in milliseconds. */
  decideMs: number;
  /** What the room waits for, or ''. */
  waits: string;
  /** What the room itself shows, read when it is asked for; it is another room in each life. */
  readings: () => Iterable<Reading>;
}

export const freshVitals = (): Vitals => ({
  leads: false,
  rollbacks: 0,
  caughtUp: false,
  heard: 0,
  spoke: 0,
  last: 0,
  acting: 0,
  decideMs: 0,
  waits: 'its streams',
  readings: () => [],
});
