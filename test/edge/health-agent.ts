/** The health server of a node, played for tests: it can be stopped, restarted or frozen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect, createServer as listen } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

// The bytes are written out, so that the prober is not judged by its own encoder: one byte "not
// compressed", four of length, then protobuf { 1: "Service_Egress_IP" } and { 1: SERVING }.
const ASKS_FOR_EGRESS_IP = '00000000130a11536572766963655f4567726573735f4950';
const SERVING = Buffer.from('00000000020801', 'hex');
const NOT_SERVING = Buffer.from('00000000020802', 'hex');

export interface AgentOptions {
  readonly host?: string;
  /** Serve TLS with this key and certificate (PEM). */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

export class HealthAgent {
  readonly host: string;
  port = 0;
  /** How many checks were asked, and how many connections were opened, since the beginning. */
  checks = 0;
  connections = 0;
  /** Connections that are open now. */
  readonly open = new Set<Socket>();
  /** Whether `Service_Egress_IP` is SERVING. */
  serving = true;
  /** Accepts checks and never answers them. */
  silent = false;
  /** The kernel accepts connections, the process does nothing: stopped by SIGSTOP or a debugger. */
  frozen = false;
  /** Answers checks with this gRPC status instead; 0 = properly. */
  grpcStatus = 0;

  readonly #tls: AgentOptions['tls'];
  #door: Server | undefined;

  constructor(options: AgentOptions = {}) {
    this.host = options.host ?? '127.0.0.1';
    this.#tls = options.tls;
  }

  /** Listens; after a stop on the same port as before. */
  async start(): Promise<this> {
    const server = this.#tls ? createSecureServer({ ...this.#tls }) : createServer();
    server.on('sessionError', () => undefined);
    server.on('session', (session: ServerHttp2Session) => session.on('error', () => undefined));
    server.on('stream', (stream, headers) => this.#answer(stream, String(headers[':path'])));
    const door = listen((socket) => this.#admit(socket, server));
    door.listen(this.port, this.host);
    await once(door, 'listening');
    this.port = (door.address() as AddressInfo).port;
    this.#door = door;
    return this;
  }

  /** Stops listening and cuts all connections, as a process that dies. */
  async stop(): Promise<void> {
    const door = this.#door;
    this.#door = undefined;
    if (door === undefined) return;
    const closed = once(door, 'close');
    door.close();
    for (const socket of this.open) socket.destroy();
    await closed;
  }

  /** Resolves when nobody is connected any more. */
  async empty(): Promise<void> {
    await Promise.all([...this.open].map((socket) => once(socket, 'close')));
  }

  #admit(socket: Socket, server: Http2Server): void {
    this.connections += 1;
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
    if (this.frozen) socket.resume();
    else server.emit('connection', socket);
  }

  #answer(stream: ServerHttp2Stream, path: string): void {
    this.checks += 1;
    stream.on('error', () => undefined);
    const body: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => body.push(chunk));
    stream.on('end', () => {
      if (this.silent || this.frozen) return;
      const known = path === '/grpc.health.v1.Health/Check';
      const status = known ? this.grpcStatus : 12;
      if (status !== 0) {
        const refusal = {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': status,
        };
        return stream.respond(refusal, { endStream: true });
      }
      const serving = this.serving && Buffer.concat(body).toString('hex') === ASKS_FOR_EGRESS_IP;
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }));
      const headers = { ':status': 200, 'content-type': 'application/grpc' };
      stream.respond(headers, { waitForTrailers: true });
      stream.end(serving ? SERVING : NOT_SERVING);
    });
  }
}

export interface SwitchedOff {
  readonly port: number;
  close(): void;
}

/**
 * A node that is switched off, on the loopback: a stopped process whose accept queue is full, so
 * that the kernel drops every further SYN to this port of 127.0.0.1.
 */
export async function switchOff(): Promise<SwitchedOff> {
  const script = `const s = require('node:net').createServer();
    s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  const port = Number(line);
  const fill = (): Socket => connect(port, '127.0.0.1').on('error', () => undefined);
  const queue = [fill(), fill()];
  await Promise.all(queue.map((socket) => once(socket, 'connect')));
  return {
    port,
    close(): void {
      for (const socket of queue) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
