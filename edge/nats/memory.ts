/** Knowing a stream again after an interruption: NATS can lose it, or what it had acknowledged. */
import { StaleWriter } from '../../core/door.ts';
import { storedMessage, streamInfo } from './api.ts';
import type { Wire } from './wire.ts';

/** What a reader remembers of a stream, to know it again. */
export interface Memory {
  /** When the stream was made. */
  readonly created: string;
  /** The last message heard; sequence 0 for none. */
  readonly sequence: number;
  readonly id: string;
}

/**
 * Throws StaleWriter when the stream is not the one remembered: deleted, made anew, or restored
 * from an older copy (NATS can lose acknowledged messages, `architecture.md` law 8). A restored
 * stream may have grown past what was heard since: then its message there is another one.
 */
export async function recognise(wire: Wire, stream: string, memory: Memory): Promise<void> {
  const info = await streamInfo(wire, stream);
  const lost = (how: string) => new StaleWriter(`stream ${stream} ${how}`);
  if (!info) throw lost('is gone');
  if (info.created !== memory.created) throw lost('was made anew');
  if (memory.sequence === 0) return;
  const last = info.state.last_seq;
  if (last < memory.sequence) throw lost(`went back to ${last} from ${memory.sequence}`);
  const same = await storedMessage(wire, stream, { seq: memory.sequence });
  if (same && same.header('ce-id') !== memory.id) throw lost('tells another story');
}
