/**
 * One HTTP/2 connection to a node's health server, and the one unary call that is ever made on it.
 * It is `node:http2` without a gRPC library because one call to thousands of mostly idle
 * connections is all there is: no service configuration, resolver, balancer or backoff of a channel
 * is wanted, and a connection costs about 30 kB. Proxies are not honoured: the health port is
 * inside the cluster.
 */
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { endpointOf, openTcp, openTls, Silent, type ProbeTls } from './connect.ts';
import { checkRequest, SERVICE, statusOf, type ServingStatus } from './message.ts';

/** Nobody answers a health check with more than this. */
const LARGEST_ANSWER_BYTES = 1024;

/**
 * Connected, and the server has sent its settings: a frozen process gets no further than its
 * kernel's accept queue, and is not taken for a living one.
 * @throws Silent at the end of the attempt; else what refused or broke the connection.
 */
export async function openSession(
  address: string,
  port: number,
  tls: ProbeTls | undefined,
  end: AbortSignal,
): Promise<ClientHttp2Session> {
  const socket = tls ? await openTls(address, port, tls, end) : await openTcp(address, port, end);
  const url = `${tls ? 'https' : 'http'}://${endpointOf(address, port)}`;
  return settled(url, socket, end);
}

function settled(url: string, socket: Socket, end: AbortSignal): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(url, {
      createConnection: () => socket,
      settings: { enablePush: false },
    });
    const silent = (): void => fail(new Silent());
    const fail = (error: Error): void => {
      end.removeEventListener('abort', silent);
      session.destroy();
      reject(error);
    };
    // Both stay for the session's life: when an idle one breaks, the next check finds it closed.
    session.on('error', fail);
    session.on('close', () => fail(new Error('closed the connection')));
    session.once('remoteSettings', () => {
      end.removeEventListener('abort', silent);
      resolve(session);
    });
    if (end.aborted) return silent();
    end.addEventListener('abort', silent);
  });
}

/**
 * `grpc.health.v1.Health/Check` of `Service_Egress_IP` (`spec/egressip.md` 6.2).
 * @throws Silent at the end of the attempt; else an error that says how the call failed.
 */
export function check(session: ClientHttp2Session, end: AbortSignal): Promise<ServingStatus> {
  return new Promise((resolve, reject) => {
    if (end.aborted) return reject(new Silent());
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const cut = (): void => void call.destroy();
    const body: Buffer[] = [];
    let size = 0;
    let head: IncomingHttpHeaders = {};
    call.on('response', (headers) => (head = headers));
    call.on('trailers', (trailers) => (head = { ...head, ...trailers }));
    call.on('data', (chunk: Buffer) => {
      body.push(chunk);
      if ((size += chunk.length) > LARGEST_ANSWER_BYTES) cut();
    });
    call.on('error', reject);
    call.once('close', () => {
      end.removeEventListener('abort', cut);
      if (end.aborted) return reject(new Silent());
      resolve(answered(head, body));
    });
    end.addEventListener('abort', cut);
    call.end(checkRequest(SERVICE));
  });
}

async function answered(head: IncomingHttpHeaders, body: Buffer[]): Promise<ServingStatus> {
  const http = Number(head[':status'] ?? 200);
  if (http !== 200) throw new Error(`HTTP status ${http}`);
  const status = head['grpc-status'];
  if (status === undefined) throw new Error('closed the connection');
  if (status !== '0') throw new Error(`gRPC status ${String(status)}`);
  return statusOf(Buffer.concat(body));
}
