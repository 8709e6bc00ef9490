/** What the rooms said on their own logs since a moment: why they began anew, what they found. */
import { readFileSync, statSync } from 'node:fs';
import type { Rooms } from '../controlplane/rooms.ts';

export class RoomLogs {
  readonly #rooms: Rooms['all'];
  readonly #ends: ReadonlyMap<string, number>;

  /** From now on. */
  constructor(rooms: Rooms['all']) {
    this.#rooms = rooms;
    this.#ends = new Map(rooms.map(({ logFile }) => [logFile, statSync(logFile).size]));
  }

  /** Why rooms started anew: `watcher: stream SLUICE_WATCHER is gone`. */
  newBeginnings(): string[] {
    return this.#found(/"because":"([^"]*)","msg":"starting anew from the log"/g);
  }

  /** Why the publisher made the log void. */
  voided(): string[] {
    return this.#found(/"because":"([^"]*)","msg":"an older copy of the log was found/g);
  }

  #found(sought: RegExp): string[] {
    return this.#rooms.flatMap(({ name, logFile }) => {
      const text = readFileSync(logFile)
        .subarray(this.#ends.get(logFile) ?? 0)
        .toString();
      return [...text.matchAll(sought)].map(([, because]) => `${name}: ${because}`);
    });
  }
}
