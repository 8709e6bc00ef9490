/** Opens one TCP or TLS connection to a node. */
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** How the health server of a node proves that it is one (`spec/egressip.md` 6.2). */
export interface ProbeTls {
  /** Read again for each connection, so that a rotated CA needs no restart. */
  readonly caFile: string;
  /** The name that the server's certificate must carry, whatever the address is. */
  readonly serverName: string;
}

/**
 * There was no answer until the end of the attempt. It is made for each silent node of each sweep:
 * an Error, but without the cost of a stack.
 */
export class Silent implements Error {
  readonly name = 'Silent';
  readonly message = 'silent';
}

/** `ECONNREFUSED`, or the error's own words where its code says less than these. */
export function whatFailed(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('ERR_HTTP2_') ? message : code;
}

/** `10.128.0.2:9107`, `[fd00::2]:9107`. */
export function endpointOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Takes in what a peer sends. The bytes are good only for as long as it runs: keep copies. */
export type Hear = (bytes: Buffer) => void;

/**
 * All connections read into this one, a read at a time. Node would else set aside 64 kB for each
 * read of some 50 bytes, and a sweep over thousands of nodes would mostly collect garbage.
 */
const shared = Buffer.allocUnsafeSlow(16_384);

/**
 * A connected socket, which is the caller's to close.
 * @param timeoutMs a limit of this one try, besides `end`; 0 = none.
 * @throws Silent at the end or timeout; else the system's error with its `code`.
 */
export function openTcp(
  host: string,
  port: number,
  end: AbortSignal,
  { timeoutMs = 0, hear }: { readonly timeoutMs?: number; readonly hear?: Hear } = {},
): Promise<Socket> {
  if (end.aborted) return Promise.reject(new Silent());
  const callback = (size: number): boolean => {
    hear?.(shared.subarray(0, size));
    return true;
  };
  const onread = { buffer: shared, callback };
  const socket = connectTcp({ host, port, noDelay: true, autoSelectFamily: false, onread });
  socket.setTimeout(timeoutMs);
  return opened(socket, 'connect', end);
}

/**
 * A socket that speaks TLS with a server that has proven its name; no client certificate is sent.
 * @throws as `openTcp`, and when the CA file cannot be read or the certificate is not good.
 */
export async function openTls(
  host: string,
  port: number,
  tls: ProbeTls,
  end: AbortSignal,
  hear: Hear,
): Promise<Socket> {
  const ca = await readFile(tls.caFile);
  if (end.aborted) throw new Silent();
  const socket = connectTls({
    host,
    port,
    ca,
    servername: tls.serverName,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  });
  socket.on('data', hear);
  return opened(socket, 'secureConnect', end);
}

function opened(socket: Socket, ready: string, end: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      end.removeEventListener('abort', silent);
      socket.removeListener('timeout', silent);
      socket.setTimeout(0);
    };
    const silent = (): void => {
      settle();
      socket.destroy();
      reject(new Silent());
    };
    socket.once('timeout', silent);
    // It stays for the socket's life: an error without a listener would stop the process.
    socket.on('error', (error) => {
      settle();
      reject(error);
    });
    socket.once(ready, () => {
      settle();
      resolve(socket);
    });
    end.addEventListener('abort', silent);
  });
}
