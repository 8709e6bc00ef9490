/** A Kubernetes API played by hand: each request waits until the test answers it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request of the client, and the means to answer it. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly body: string;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    const url = new URL(request.url ?? '/', 'http://double');
    this.method = request.method ?? '';
    this.path = url.pathname;
    this.query = url.searchParams;
    this.request = request;
    this.body = body;
    this.#response = response;
  }

  get isWatch(): boolean {
    return this.query.get('watch') === 'true';
  }

  header(name: string): string {
    return String(this.request.headers[name] ?? '');
  }

  json(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.#response.end(JSON.stringify(body));
  }

  /** A list, or a page of one when `next` is the token of the page after it. */
  list(version: string, items: readonly unknown[], next = ''): void {
    this.json(200, { metadata: { resourceVersion: version, continue: next }, items });
  }

  refuse(status: number, message: string, headers: Record<string, string> = {}): void {
    this.json(status, { kind: 'Status', code: status, message }, headers);
  }

  /** Accepts a watch. */
  open(): this {
    this.#response.writeHead(200, { 'content-type': 'application/json' });
    this.#response.flushHeaders();
    return this;
  }

  write(bytes: string | Uint8Array): void {
    this.#response.write(bytes);
  }

  event(type: string, object: unknown): void {
    this.write(`${JSON.stringify({ type, object })}\n`);
  }

  end(): void {
    this.#response.end();
  }

  /** The connection breaks. */
  cut(): void {
    this.request.socket.destroy();
  }

  /** Resolves when the client has let go of the connection. */
  async dropped(): Promise<void> {
    if (!this.request.socket.destroyed) await closed(this.request.socket);
  }
}

export class ApiserverDouble {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: Exchange[] = [];
  readonly #takers: ((exchange: Exchange) => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ApiserverDouble> {
    const server = createServer();
    const double = new ApiserverDouble(server);
    server.on('connection', (socket) => double.#remember(socket));
    server.on('request', (request, response) => void double.#receive(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Requests that no test has taken. */
  get unanswered(): number {
    return this.#waiting.length;
  }

  /** The next request, in order of arrival. */
  async next(): Promise<Exchange> {
    const exchange = this.#waiting.shift();
    return exchange ?? new Promise((resolve) => void this.#takers.push(resolve));
  }

  /** Resolves when no connection is left. */
  async deserted(): Promise<void> {
    await Promise.all([...this.#sockets].map(closed));
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.deserted();
  }

  #remember(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => void this.#sockets.delete(socket));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(request, response, await text(request));
    const taker = this.#takers.shift();
    if (taker === undefined) this.#waiting.push(exchange);
    else taker(exchange);
  }
}

/** Not `once`, which takes a reset for a failure. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.on('close', () => resolve()));
}

/** An EgressIP named `name` at `version`; its uid is `uid-<name>` unless told otherwise. */
export function object(name: string, version: string, more: object = {}): unknown {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: version }, ...more };
}
