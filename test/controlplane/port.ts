/** Ports on loopback that a server can come back to after it was killed. */
import { createServer } from 'node:net';

/**
 * Below the range from which the kernel takes ports for outgoing connections (32768 and up on
 * Linux): one of those could sit on the port of a server that is down for a moment.
 */
const lowest = 20_000;
const highest = 32_000;

const given = new Set<number>();

/** A port that nothing listens on at 127.0.0.1 (or `host`), never the same twice in one process. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (given.has(port) || !(await isFree(port, host))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
