/** The HTTP server of a room that the kubelet and Prometheus ask: /healthz, /readyz, /metrics. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One thing that must be well before a room is ready: `nats: connected`, `lag: 0.2 s`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What it is like now, in a word or two. */
  readonly state: string;
}

/** What Prometheus gets; `edge/metrics.ts` makes it. */
export interface Page {
  readonly contentType: string;
  readonly text: string;
}

export interface HealthOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Without it every address of the machine. */
  readonly host?: string;
  /** Asked anew for each request to /readyz. */
  readonly checks: () => readonly Check[];
  readonly metrics?: () => Promise<Page>;
}

export interface Health {
  readonly port: number;
  close(): Promise<void>;
}

const plain = 'text/plain; charset=utf-8';

/**
 * /healthz is 200 as long as the event loop turns: a room that waits for NATS must not be restarted
 * for it. /readyz is 200 when all checks are ok, else 503, with a line for each check.
 * @throws when the port is taken.
 */
export async function openHealth(options: HealthOptions): Promise<Health> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 });
  server.on('request', (request, response) => {
    void answer(options, request, response);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  options: HealthOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, text: string, contentType = plain): void => {
    response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  if (!['GET', 'HEAD'].includes(request.method ?? '')) return send(405, 'only GET and HEAD\n');
  try {
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return send(200, 'alive\n');
    if (path === '/readyz') {
      const checks = options.checks();
      return send(checks.every(({ ok }) => ok) ? 200 : 503, legible(checks));
    }
    if (path !== '/metrics' || options.metrics === undefined) return send(404, 'not found\n');
    const { text, contentType } = await options.metrics();
    send(200, text, contentType);
  } catch (error) {
    send(500, `${String(error)}\n`);
  }
}

function legible(checks: readonly Check[]): string {
  const verdict = checks.every(({ ok }) => ok) ? 'ready' : 'not ready';
  const lines = checks.map(({ name, ok, state }) => `${ok ? '+' : '-'} ${name}: ${state}`);
  return [verdict, ...lines, ''].join('\n');
}
