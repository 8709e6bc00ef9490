/** How a room is, as far as the log tells. */
import type { Heard, Speaker } from '../core/event.ts';

export interface RoomReport {
  readonly room: Speaker;
  /** `silent` = never said a word; `starting` = no complete picture of the cluster yet. */
  readonly state: 'silent' | 'starting' | 'ready' | 'behind' | 'failing';
  /** How many events it ever said: its last sequence. */
  readonly said: number;
  /** When it spoke last, in milliseconds since 1970; undefined = never. */
  readonly lastMs: number | undefined;
  /** What its rules ask for and is not there yet: decisions unsaid, statuses unwritten. */
  readonly behind: number | undefined;
}

interface Signs {
  readonly room: Speaker;
  readonly last: Heard | undefined;
  readonly behind: number | undefined;
  /** Its last write on some object failed. */
  readonly failing: boolean;
  /** The first complete picture of the cluster is on the log. */
  readonly synced: boolean;
}

export function stateOfRoom({ room, last, behind, failing, synced }: Signs): RoomReport['state'] {
  if (failing) return 'failing';
  if ((behind ?? 0) > 0) return 'behind';
  if (last === undefined) return 'silent';
  return room === 'watcher' && !synced ? 'starting' : 'ready';
}
