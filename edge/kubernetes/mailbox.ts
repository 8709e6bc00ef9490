/** What a watch has brought while its reader was busy. */
import type { Sighting } from '../../core/door.ts';

export interface Batch {
  readonly sightings: readonly Sighting[];
  /** The collection's version once these are known. */
  readonly version: string;
}

/** Bounded by the number of objects, however long the reader takes: a level may be skipped. */
export class Mailbox {
  readonly #maxWaiting: number;
  #waiting: Sighting[] = [];
  #limit: number;
  #version: string;
  #changed = false;
  #closed = false;
  #wake: () => void = () => {};

  constructor(version: string, maxWaiting: number) {
    this.#version = version;
    this.#maxWaiting = maxWaiting;
    this.#limit = maxWaiting;
  }

  push(sightings: readonly Sighting[], version: string): void {
    this.#waiting.push(...sightings);
    this.#version = version;
    this.#changed = true;
    if (this.#waiting.length > this.#limit) {
      this.#waiting = latestPerObject(this.#waiting);
      this.#limit = Math.max(this.#maxWaiting, 2 * this.#waiting.length);
    }
    this.#wake();
  }

  /** Nothing more will come. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** All that waits, as soon as there is something; undefined when it is empty and closed. */
  async take(): Promise<Batch | undefined> {
    while (!this.#changed && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (!this.#changed) return undefined;
    const batch = { sightings: this.#waiting, version: this.#version };
    this.#waiting = [];
    this.#changed = false;
    this.#limit = this.#maxWaiting;
    return batch;
  }
}

/** By uid, not by name: the end of an object and its namesake's beginning are both news. */
function latestPerObject(sightings: readonly Sighting[]): Sighting[] {
  const latest = new Map<string, Sighting>();
  for (const sighting of sightings) {
    const uid = uidOf(sighting);
    latest.delete(uid);
    latest.set(uid, sighting);
  }
  return [...latest.values()];
}

function uidOf(sighting: Sighting): string {
  if (sighting.kind === 'Put') return sighting.object.metadata.uid;
  return sighting.kind === 'Gone' ? sighting.uid : sighting.kind;
}
