/** Calls of the Kubernetes API that are authorized and bounded in time; no answer is an answer. */
import { type KubeAnswer, StaleWriter } from '../../core/door.ts';
import { answerOf, noAnswer } from './answer.ts';
import { within } from './deadline.ts';
import { type Http, type HttpAnswer, type HttpRequest, openHttp } from './http.ts';
import type { Authorization, ClusterOptions } from './options.ts';
import { patienceOf } from './options.ts';

export interface Call {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
}

export type Stream =
  | { readonly open: true; readonly body: AsyncIterable<Uint8Array> }
  | { readonly open: false; readonly answer: KubeAnswer };

export interface Api {
  /**
   * One attempt. A token that the server refuses is read again once. Throws StaleWriter when it
   * would change something and this process may not write any more (`edge/lease.ts`).
   */
  call(call: Call, signal: AbortSignal): Promise<KubeAnswer>;
  /** Opens a watch; its body throws when it is cut. */
  stream(path: string, signal: AbortSignal): Promise<Stream>;
  close(): Promise<void>;
}

/** Opens no connection until something is asked. */
export function openApi(options: ClusterOptions): Api {
  const http = openHttp(options);
  const { deadlineMs } = patienceOf(options);
  const who = options.authorization ?? (async () => undefined);
  return {
    call: (call, signal) =>
      within(deadlineMs, signal, async (bounded) => {
        try {
          return await read(await authorized(http.call, call, who, bounded));
        } catch (error) {
          if (error instanceof StaleWriter) throw error;
          return noAnswer(bounded.aborted ? bounded.reason : error);
        }
      }),
    stream: async (path, signal) => {
      try {
        const answer = await authorized(http.watch, { method: 'GET', path }, who, signal);
        if (answer.status === 200) return { open: true, body: answer.body };
        return { open: false, answer: await read(answer) };
      } catch (error) {
        return { open: false, answer: noAnswer(signal.aborted ? signal.reason : error) };
      }
    },
    close: () => http.close(),
  };
}

/** A refused (401) request was not carried out, so asking again is still one attempt. */
async function authorized(
  send: Http['call'],
  call: Call,
  who: Authorization,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const first = await who(false);
  const answer = await send(requestOf(call, first), signal);
  if (answer.status !== 401) return answer;
  const second = await who(true);
  if (second === first) return answer;
  await answer.body.text();
  return send(requestOf(call, second), signal);
}

function requestOf(call: Call, authorization: string | undefined): HttpRequest {
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  return {
    method: call.method,
    path: call.path,
    body,
    headers: {
      accept: 'application/json',
      'user-agent': 'sluice',
      ...(body === null ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
  };
}

async function read(answer: HttpAnswer): Promise<KubeAnswer> {
  return answerOf(answer.status, await answer.body.text(), answer.retryAfter, Date.now());
}
