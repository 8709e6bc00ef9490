/** An ephemeral pull consumer, as the server is asked for it and as its messages tell of it. */
import { ask, notFound, unless } from './api.ts';
import type { Wire } from './wire.ts';

/** Where reading starts. */
export type Start =
  | { readonly at: 'last-per-subject' | 'all' | 'new' }
  | { readonly at: 'time'; readonly sinceMs: number }
  | { readonly at: 'sequence'; readonly sequence: number };

/** The server forgets a consumer that nobody pulled from for so long. */
const inactiveNs = 120e9;

/** How many messages wait for the new consumer; undefined when there is no such stream. */
export async function createConsumer(
  wire: Wire,
  stream: string,
  consumer: { readonly name: string; readonly filter: string; readonly start: Start },
): Promise<number | undefined> {
  const { name, filter, start } = consumer;
  const config = {
    name,
    filter_subject: filter,
    ...policyOf(start),
    ack_policy: 'none',
    max_deliver: 1,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: inactiveNs,
  };
  // The filter stands in the subject too: so the server's permissions can limit what is read.
  const subject = `CONSUMER.CREATE.${stream}.${name}.${filter}`;
  const body = { stream_name: stream, config, action: 'create' };
  const made = ask<{ num_pending: number }>(wire, subject, body);
  return (await unless(notFound.stream, made))?.num_pending;
}

function policyOf(start: Start): object {
  switch (start.at) {
    case 'last-per-subject':
      return { deliver_policy: 'last_per_subject' };
    case 'time':
      return {
        deliver_policy: 'by_start_time',
        opt_start_time: new Date(start.sinceMs).toISOString(),
      };
    case 'sequence':
      return { deliver_policy: 'by_start_sequence', opt_start_seq: start.sequence };
    case 'all':
    case 'new':
      return { deliver_policy: start.at };
  }
}

/** Where a delivered message stands: on the stream, among this consumer's, and before how many. */
export interface Standing {
  readonly sequence: number;
  readonly delivered: number;
  readonly pending: number;
}

/**
 * Reads the acknowledgement subject (ADR-15 of NATS), of 9 words
 * `$JS.ACK.<stream>.<consumer>.<tries>.<sequence>.<delivered>.<ns>.<pending>`, or of 11 or more
 * with domain and account before the stream.
 */
export function standingOf(reply: string): Standing {
  const words = reply.split('.');
  const [sequence, delivered, , pending] = words.slice(words.length > 9 ? 7 : 5).map(Number);
  return { sequence: sequence ?? 0, delivered: delivered ?? 0, pending: pending ?? 0 };
}
