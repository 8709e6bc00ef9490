/** Whether a server takes connections at all, and if not, why: known in milliseconds. */
import { connect } from 'node:net';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ECONNRESET: 'connection reset',
  ETIMEDOUT: 'timed out',
};

/** Undefined when `url` (`nats://host:4222`) takes a connection, else the reason in a few words. */
export function reach(url: string, withinMs: number): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port), timeout: withinMs });
  return new Promise((resolve) => {
    const end = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.on('connect', () => end(undefined));
    socket.on('timeout', () => end(`no answer within ${withinMs / 1000} s`));
    socket.on('error', (error) => end(reasonOf(error)));
  });
}

function reasonOf(error: Error & { code?: string; errors?: readonly Error[] }): string {
  const code = error.code ?? '';
  return reasons[code] ?? (error.message || code);
}
