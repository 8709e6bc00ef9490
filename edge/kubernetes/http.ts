/** HTTP to the Kubernetes API: connections for calls are shared, a watch has one to itself. */
import { Agent, type Dispatcher } from 'undici';
import { StaleWriter } from '../../core/door.ts';
import type { ClusterOptions } from './options.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string;
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string> };
}

export interface Http {
  /**
   * Throws when there is no answer; the body may still be cut while it is read. Throws StaleWriter,
   * and sends nothing, when this process may not write any more.
   */
  call(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** The same on a connection of its own, with no limit on how long the body takes. */
  watch(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Cuts whatever is open. */
  close(): Promise<void>;
}

/** HTTP/1.1 throughout: over one HTTP/2 connection the server was half as fast, and can stall. */
export function openHttp(options: ClusterOptions): Http {
  const base = new URL(options.server);
  const shared = { connect: connectOf(options), allowH2: false, keepAliveTimeout: 30_000 };
  const calls = new Agent({ ...shared, connections: 32 });
  const writes = calls.compose(fence(options.mayWrite ?? (() => true)));
  const watches = new Agent({ ...shared, bodyTimeout: 0, headersTimeout: 0 });
  return {
    call: (request, signal) =>
      send(request.method === 'GET' ? calls : writes, base, request, signal),
    watch: (request, signal) => send(watches, base, request, signal),
    close: async () => {
      await Promise.all([calls.destroy(), watches.destroy()]);
    },
  };
}

/**
 * Asks at the last moment, in the very turn of the event loop in which the request goes to the
 * socket: before that it may have waited for a connection, and the process may have been frozen.
 */
function fence(mayWrite: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (!mayWrite()) throw new StaleWriter('the lease ran out before a write was sent');
      start?.(controller, context);
    };
    return dispatch(request, handler);
  };
}

function connectOf(options: ClusterOptions): NonNullable<Agent.Options['connect']> {
  const { ca, cert, key, serverName } = options;
  return {
    timeout: 10_000,
    rejectUnauthorized: options.insecure !== true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

async function send(
  agent: Dispatcher,
  base: URL,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const path = base.pathname.replace(/\/$/, '') + request.path;
  const answer = await agent.request({ ...request, path, origin: base.origin, signal });
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : '',
    body: answer.body,
  };
}
