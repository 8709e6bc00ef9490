/**
 * Questions to the JetStream of a cluster whose members may be dead, frozen, or without a leader.
 */
import { connect } from 'nats';
import type { Child } from './child.ts';
import { eventually } from './wait.ts';

const requestMs = 2_000;

interface Member {
  readonly url: string;
  readonly child: Pick<Child, 'pid'>;
}

/** What JetStream answers: an error, or whatever was asked for. */
export interface Answer {
  readonly error?: { readonly code: number; readonly err_code: number };
  readonly state?: { readonly last_seq: number };
}

/** One request to a member that answers; undefined when none does. */
export async function askAny(
  members: readonly Member[],
  subject: string,
  body: object,
): Promise<Answer | undefined> {
  for (const { url, child } of members) {
    if (child.pid === 0) continue;
    try {
      return await askOne(url, subject, body);
    } catch {
      // Frozen, not ready yet, or without a leader: perhaps another one knows.
    }
  }
  return undefined;
}

async function askOne(url: string, subject: string, body: object): Promise<Answer> {
  const connection = await connect({ servers: [url], reconnect: false, timeout: 1_000 });
  try {
    const asked = { timeout: requestMs };
    return (
      await connection.request(`$JS.API.${subject}`, JSON.stringify(body), asked)
    ).json<Answer>();
  } finally {
    await connection.close();
  }
}

/** JetStream's code for a stream that does not exist. */
const noStream = 10059;

/** Of the answer to `STREAM.INFO`: 0 when there is no such stream, undefined without an answer. */
export function lastOf(answer: Answer | undefined): number | undefined {
  return answer?.error?.err_code === noStream ? 0 : answer?.state?.last_seq;
}

/** A stream's leader alone tells of it, and only the leader of all tells that it does not exist. */
export async function quorum(
  ask: (subject: string) => Promise<Answer | undefined>,
  streams: readonly string[],
  withinMs: number,
): Promise<void> {
  const missing = new Set(streams);
  const detail = (): string => `: no word of ${[...missing].join(', ')}`;
  await eventually('there is a quorum', { withinMs, everyMs: 100, detail }, async () => {
    for (const stream of missing) {
      if (lastOf(await ask(`STREAM.INFO.${stream}`)) === undefined) return false;
      missing.delete(stream);
    }
    return true;
  });
}
