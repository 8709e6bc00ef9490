/**
 * Every write to the cluster in its order, read from etcd itself: no fault of the API hides one.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

/** One write; `object` is undefined for a deletion, and for kinds that are not stored as JSON. */
export interface Write {
  readonly key: string;
  readonly deleted: boolean;
  readonly object: unknown;
}

interface RawEvent {
  readonly type?: 'DELETE';
  readonly kv: { readonly key: string; readonly value?: string };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plain = (text: string): string => Buffer.from(text, 'base64').toString();

/**
 * Tells `hear` each write since the store was made; returns how to end that. `broke` hears when the
 * watch ends by itself: what is judged on it would be incomplete.
 */
export async function watchEtcd(
  url: string,
  hear: (write: Write) => void,
  broke: (why: string) => void,
): Promise<() => void> {
  const range = { key: base64('/registry/'), range_end: base64('/registry0') };
  const sent = request(`${url}/v3/watch`, { method: 'POST', agent: false });
  sent.end(JSON.stringify({ create_request: { ...range, start_revision: '1' } }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let ended = false;
  const end = (why: string): void => {
    if (!ended) broke(why);
    ended = true;
  };
  sent.on('error', (error) => end(error.message));
  createInterface({ input: response })
    .on('line', (line) => {
      for (const write of writesOf(line)) hear(write);
    })
    .on('error', (error: Error) => end(error.message))
    .on('close', () => end('etcd ended the watch'));
  return () => {
    ended = true;
    sent.destroy();
  };
}

function writesOf(line: string): Write[] {
  const { result } = JSON.parse(line) as { result?: { events?: readonly RawEvent[] } };
  return (result?.events ?? []).map(({ type, kv }) => {
    const key = plain(kv.key);
    const value = kv.value === undefined ? '' : plain(kv.value);
    const object: unknown = value.startsWith('{') ? JSON.parse(value) : undefined;
    return { key, deleted: type === 'DELETE', object };
  });
}
