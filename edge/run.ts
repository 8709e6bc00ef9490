/** Lets a room live: hear a batch, fold, decide once, speak, act (law 4). */
import type { Clock, HeardBatch, Log } from '../core/door.ts';
import type { Room } from '../core/room.ts';
import { Inbox } from './inbox.ts';
import { Life } from './life.ts';
import type { Vitals } from './vitality.ts';

export interface Doors<Input, Act> {
  readonly log: Log;
  readonly clock: Clock;
  /**
   * A room that has just thought waits so long for more before it thinks again: many small turns
   * cost far more than few larger ones. The first event after a rest is not held up. 0 = no wait.
   */
  readonly paceMs?: number;
  /** What the room senses besides the log. */
  readonly senses?: (signal: AbortSignal) => readonly AsyncIterable<readonly Input[]>[];
  /** Does one act; what came of it is sensed. Never throws. */
  readonly perform?: (act: Act, signal: AbortSignal) => Promise<Input>;
}

/**
 * Runs until `signal` aborts (returns) or something breaks (throws): StaleWriter when somebody else
 * spoke on the room's stream or the log was replaced; then the caller starts it anew, from the log.
 */
export async function live<World, Input, Act>(
  room: Room<World, Input, Act>,
  doors: Doors<Input, Act>,
  vitals: Vitals,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const inbox = new Inbox<HeardBatch | readonly Input[]>(within);
  const pumps = [
    inbox.pump(doors.log.hear(room.hears, within)),
    ...(doors.senses?.(within) ?? []).map((sense) => inbox.pump(sense)),
  ];
  try {
    await new Life(room, doors, vitals, inbox, within).live();
  } finally {
    vitals.caughtUp = false;
    vitals.waits = 'its streams';
    stop.abort();
    await Promise.allSettled(pumps);
  }
}
