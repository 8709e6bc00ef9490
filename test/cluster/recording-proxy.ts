/** A proxy in front of the API server that writes down what one client changes, and can be slow. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../controlplane/controlplane.ts';

/** A request that would change something, when it was there in full, and what came of it. */
export interface Recorded {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  status: number;
}

export interface RecordingProxy {
  readonly url: string;
  readonly changes: readonly Recorded[];
  /** How long an answer is held back, in milliseconds; asked anew for each. */
  slow: () => number;
  stop(): void;
}

export async function recordingProxy(plane: ControlPlane): Promise<RecordingProxy> {
  const changes: Recorded[] = [];
  const server = createServer((asked, answer) => {
    void pass(asked, answer).catch(() => answer.destroy());
  });
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const { method = '', url: path = '' } = asked;
    const recorded = { atMs: Date.now(), method, path, status: 0 };
    if (method !== 'GET') changes.push(recorded);
    const [status, headers, body] = await forward(plane, asked, Buffer.concat(chunks));
    recorded.status = status;
    await sleep(proxy.slow());
    answer.writeHead(status, headers).end(body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${port}`,
    changes,
    slow: () => 0,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

async function forward(
  { server, ca }: ControlPlane,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<[number, Record<string, string>, Buffer]> {
  const { host: _, connection: __, ...kept } = headers;
  const send = server.startsWith('https:') ? secureRequest : request;
  const sent = send(`${server}${url}`, { method, headers: kept, ca, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const type = answer.headers['content-type'] ?? 'application/json';
  return [answer.statusCode ?? 0, { 'content-type': type }, Buffer.concat(chunks)];
}
