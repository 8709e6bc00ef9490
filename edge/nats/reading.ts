/** What a reader is asked to read, and what it has read. */
import type { Start } from './consumer.ts';
import type { Memory } from './memory.ts';
import type { Delivery, Wire } from './wire.ts';

export interface Reading {
  readonly wire: Wire;
  readonly stream: string;
  /** Subjects, within those of the stream. */
  readonly filter: string;
  readonly start: Start;
  /** Makes sure that the stream is there, until it was seen for the first time. */
  readonly ensure: () => Promise<void>;
  /** Called when there is something to take. */
  readonly ring: () => void;
  /** Called at the end, with how far the stream had been heard. */
  readonly leave?: (memory: Memory) => void;
}

export interface Delivered {
  readonly delivery: Delivery;
  readonly sequence: number;
}

/** What has arrived since the last look, and how many more there were. */
export interface Arrived {
  readonly messages: readonly Delivered[];
  readonly pending: number;
}
