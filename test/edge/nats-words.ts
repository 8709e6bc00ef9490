/** What the tests of the event log say, and how they listen. */
import { once } from 'node:events';
import type { Saying, Speaker } from '../../core/event.ts';
import type { NatsLog } from '../../edge/nats/log.ts';

/** A signal that never aborts. */
export const forever = new AbortController().signal;

export function gone(name: string, said = 'is gone'): Saying {
  return { event: { kind: 'NodeGone', name, uid: `uid of ${name}` }, causes: [], said };
}

/** Hears a stream in the background. */
export function follow(log: NatsLog, stream: Speaker, signal: AbortSignal) {
  const sequences: number[] = [];
  const heard = new EventTarget();
  const run = async () => {
    for await (const { events } of log.hear([stream], signal)) {
      sequences.push(...events.map(({ sequence }) => sequence));
      heard.dispatchEvent(new Event('more'));
    }
  };
  return {
    /** All that was heard, in the order of hearing. */
    sequences,
    /** The error that ended it, or undefined. */
    ended: run().then(
      () => undefined,
      (error: unknown) => error,
    ),
    /** Resolves once this sequence was heard. */
    until: async (sequence: number) => {
      while (!sequences.includes(sequence)) await once(heard, 'more');
    },
  };
}
