/** After an attempt without a clear answer: what of it is on the stream? */
import { StaleWriter } from '../../core/door.ts';
import { storedMessage, streamInfo } from './api.ts';
import type { Batch, Desk } from './desk.ts';
import { ensureStreams, streamName } from './stream.ts';

/**
 * How many of the messages landed, behind which sequence. Throws StaleWriter when the stream is not
 * as this writer left it.
 */
export async function lookBack(
  { wire, place, speaker }: Desk,
  batch: Batch,
  base: number,
): Promise<{ readonly base: number; readonly landed: number }> {
  const stream = streamName(place.prefix, speaker);
  const state = (await streamInfo(wire, stream))?.state;
  if (state === undefined) {
    await ensureStreams(wire, place);
    if (base > 0) throw new StaleWriter(`stream ${stream} was gone`);
    return { base, landed: 0 };
  }
  const { last_seq: end, messages } = state;
  if (end === base) return { base, landed: 0 };
  // Who knows nothing of a stream without a message misses nothing: it was purged, or goes on.
  if (base === 0 && messages === 0) return { base: end, landed: 0 };
  const landed = end - base;
  if (landed > 0 && landed <= batch.size) {
    const top = await storedMessage(wire, stream, { seq: end });
    if (top?.header('ce-id') === batch.idOf(landed - 1)) return { base, landed };
  }
  throw new StaleWriter(`stream ${stream} is at ${end}, not at ${base}`);
}
