/**
 * One HTTP/2 connection to a node's health server, and the one unary call that is ever made on it.
 * Neither a gRPC library nor `node:http2` is used: one call at a time on thousands of idle
 * connections is all there is, and with `node:http2` a sweep over 5,000 nodes took 1.6 s of CPU,
 * most of it for streams and headers that nobody needs. Proxies are not honoured: the health port
 * is inside the cluster.
 */
import type { Socket } from 'node:net';
import { endpointOf, openTcp, openTls, Silent, type Hear, type ProbeTls } from './connect.ts';
import * as h2 from './frame.ts';
import { Call } from './call.ts';
import { callHead } from './hpack.ts';
import { checkRequest, SERVICE, type ServingStatus } from './message.ts';

/** How long a connection may take to close in good order. */
const FAREWELL_MS = 1000;

/** Stream numbers have 31 bits; a connection that comes near the end is not used any more. */
const LAST_STREAM = 0x7fff_0000;

const PATH = '/grpc.health.v1.Health/Check';
const ask = h2.frame(h2.DATA, h2.END_STREAM, 0, checkRequest(SERVICE));
const hello = h2.preface();

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
): Promise<Session> {
  let take: Hear = () => undefined;
  const hear: Hear = (bytes) => take(bytes);
  const socket = await (tls
    ? openTls(address, port, tls, end, hear)
    : openTcp(address, port, end, { hear }));
  const head = callHead(tls ? 'https' : 'http', endpointOf(address, port), PATH);
  const session = new Session(socket, head);
  take = (bytes) => session.take(bytes);
  return greeted(session, end);
}

function greeted(session: Session, end: AbortSignal): Promise<Session> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | undefined): void => {
      end.removeEventListener('abort', silent);
      if (error === undefined) return resolve(session);
      session.destroy();
      reject(error);
    };
    const silent = (): void => settle(new Silent());
    if (end.aborted) return silent();
    end.addEventListener('abort', silent);
    session.greet(settle);
  });
}

export class Session {
  readonly #socket: Socket;
  /** The two frames of a check, with no stream number yet. */
  readonly #request: readonly [head: Buffer, body: Buffer];
  readonly #reader = new h2.FrameReader();
  #closed = false;
  #stream = -1;
  #call: Call | undefined;
  #greeted: (error: Error | undefined) => void = () => undefined;

  constructor(socket: Socket, head: Buffer) {
    this.#socket = socket;
    this.#request = [h2.frame(h2.HEADERS, h2.END_HEADERS, 0, head), ask];
    socket.on('error', (error) => this.#fail(error));
    // One that breaks while it is idle is found closed by the next check.
    socket.on('close', () => this.#fail(new Error('closed the connection')));
  }

  /** No further check can be made. */
  get closed(): boolean {
    return this.#closed || this.#stream > LAST_STREAM;
  }

  /** Says goodbye; a server that does not answer even that is left alone after a while. */
  destroy(): void {
    this.#closed = true;
    this.#socket.end();
    this.#socket.setTimeout(FAREWELL_MS, () => this.#socket.destroy());
    this.#socket.unref();
  }

  /** Begins to speak; `done` is called when the server has done so, too, or failed to. */
  greet(done: (error: Error | undefined) => void): void {
    this.#greeted = done;
    this.#socket.write(hello);
  }

  /**
   * `grpc.health.v1.Health/Check` of `Service_Egress_IP` (`spec/egressip.md` 6.2), one at a time.
   * @throws Silent at the end of the attempt; else an error that says how the call failed.
   */
  check(end: AbortSignal): Promise<ServingStatus> {
    return new Promise((resolve, reject) => {
      if (end.aborted) return reject(new Silent());
      const stream = (this.#stream += 2);
      const call = new Call(stream, (error) => {
        end.removeEventListener('abort', silent);
        this.#call = undefined;
        if (error !== undefined) return reject(error);
        // A call without success is an error, too.
        resolve(new Promise((done) => done(call.status())));
      });
      const silent = (): void => call.settle(new Silent());
      end.addEventListener('abort', silent);
      this.#call = call;
      this.#socket.write(h2.onStream(this.#request, stream));
    });
  }

  #fail(error: Error): void {
    this.#closed = true;
    this.#socket.destroy();
    this.#greeted(error);
    this.#call?.settle(error);
  }

  /** What the server sends; the bytes are good only for as long as this runs. */
  take(bytes: Buffer): void {
    try {
      for (const one of this.#reader.read(bytes)) this.#hear(one);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #hear({ type, flags, stream, payload }: h2.Frame): void {
    if (type === h2.SETTINGS && (flags & h2.ACK) === 0) {
      this.#socket.write(h2.frame(h2.SETTINGS, h2.ACK, 0, Buffer.alloc(0)));
      return this.#greeted(undefined);
    }
    if (type === h2.PING && (flags & h2.ACK) === 0)
      return void this.#socket.write(h2.frame(h2.PING, h2.ACK, 0, payload));
    // A server that is about to stop answers what was asked, but is not to be asked again.
    if (type === h2.GOAWAY) this.#closed = true;
    if (stream === this.#call?.stream) this.#call.hear({ type, flags, stream, payload });
  }
}
