/** NATS by hand over a socket: what the log does is judged without the log's own client. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

/** One request; resolves with the answer's JSON. */
export async function ask<Answer = Record<string, never>>(
  url: string,
  subject: string,
  body: object | string = {},
): Promise<Answer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const inbox = `answer-${randomUUID()}`;
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  await once(socket, 'connect');
  socket.write('CONNECT {"verbose":false}\r\n');
  socket.write(`SUB ${inbox} 1\r\n`);
  socket.write(`PUB ${subject} ${inbox} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`);
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    // Other lines (INFO, PING) may stand before and after it.
    const head = /MSG answer-\S+ 1 (\d+)\r\n/.exec(text);
    const start = head ? head.index + head[0].length : 0;
    const rest = text.slice(start);
    if (head && rest.length >= Number(head[1])) {
      return JSON.parse(rest.slice(0, Number(head[1]))) as Answer;
    }
  }
  throw new Error(`no answer on ${subject}`);
}

/** The headers of a stored message, a line each. */
export async function headersAt(url: string, stream: string, seq: number): Promise<string[]> {
  type Stored = { message: { hdrs: string } };
  const stored = await ask<Stored>(url, `$JS.API.STREAM.MSG.GET.${stream}`, { seq });
  return Buffer.from(stored.message.hdrs, 'base64').toString('latin1').trim().split('\r\n');
}

/** How many messages a stream holds, and its last sequence. */
export async function stateOf(url: string, stream: string) {
  type Info = { state: { messages: number; last_seq: number } };
  const { state } = await ask<Info>(url, `$JS.API.STREAM.INFO.${stream}`);
  return { messages: state.messages, last: state.last_seq };
}
