/** How far a room had heard each stream when it concluded something. */
import type { Heard, Speaker } from '../core/event.ts';

/** Sequences by stream; of its own stream, where its life began. */
export type Bounds = ReadonlyMap<Speaker, number>;

export const boundsOf = ({ heard = [] }: Heard): Bounds =>
  new Map(heard.map(({ stream, sequence }) => [stream, sequence]));

/** Other sequences of the same streams, in the same order. */
export const boundsAt = (bounds: Bounds, sequences: readonly number[]): Bounds =>
  new Map([...bounds.keys()].map((stream, index) => [stream, sequences[index] ?? 0]));

/** What is said in one turn is concluded at one time, from the same. */
export const turnOf = ({ atMs, heard }: Heard): string => JSON.stringify([atMs, heard]);
