/** The health port of a node as ovnkube-node has it: grpc.health.v1 over plain HTTP/2. */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';

/** The service that EgressIP asks for (`spec/egressip.md` 6.2). */
const service = 'Service_Egress_IP';
const checkPath = '/grpc.health.v1.Health/Check';

// A gRPC message is one byte "not compressed", four bytes of length, then protobuf. Field 1 of the
// request is the service's name (tag 0x0a), field 1 of the answer is the status (tag 0x08).
const asked = Buffer.from([0x0a, service.length, ...Buffer.from(service)]);
const serving = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);
const notServing = Buffer.from([0, 0, 0, 0, 2, 0x08, 2]);

export interface HealthServer {
  /** Listens, again or for the first time. */
  open(): Promise<void>;
  /** Cuts every connection and refuses new ones, as a node does whose agent has died. */
  close(): Promise<void>;
  /** Whether it answers SERVING; true at first. */
  setServing(is: boolean): void;
}

/** A health server for one address, not listening yet. Port in plain number; plaintext only. */
export function newHealthServer(address: string, port: number): HealthServer {
  let server: Http2Server | undefined;
  const sessions = new Set<ServerHttp2Session>();
  let healthy = true;
  const open = (): Promise<void> => {
    const opened = createServer();
    server = opened;
    opened.on('session', (session) => {
      sessions.add(session);
      session.on('close', () => sessions.delete(session));
      session.on('error', () => session.destroy());
    });
    opened.on('stream', (stream, headers) => {
      answer(stream, String(headers[':path']), () => healthy);
    });
    return new Promise((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, address, () => resolve());
    });
  };
  const close = (): Promise<void> => {
    const closing = server;
    server = undefined;
    return new Promise((resolve) => {
      if (closing === undefined) return resolve();
      closing.close(() => resolve());
      for (const session of sessions) session.destroy();
    });
  };
  return { open, close, setServing: (is) => void (healthy = is) };
}

function answer(stream: ServerHttp2Stream, path: string, healthy: () => boolean): void {
  const chunks: Buffer[] = [];
  stream.on('error', () => stream.destroy());
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    const head = { ':status': 200, 'content-type': 'application/grpc' };
    if (path !== checkPath) {
      // 12 = UNIMPLEMENTED
      return stream.respond({ ...head, 'grpc-status': '12' }, { endStream: true });
    }
    const known = Buffer.concat(chunks).subarray(5).equals(asked);
    stream.respond(head, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(known && healthy() ? serving : notServing);
  });
}
