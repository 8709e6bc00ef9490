/** What the Kubernetes API answered, and what a person should read of it. */
import type { KubeAnswer } from '../../core/door.ts';
import { field, parse, text } from './json.ts';

/** `nowMs` because the server may name a moment rather than a number of seconds. */
export function answerOf(
  status: number,
  body: string,
  retryAfter: string,
  nowMs: number,
): KubeAnswer {
  const json = parse(body);
  const asked = askedMs(retryAfter, nowMs);
  return {
    status,
    body: json ?? body,
    message: status >= 200 && status < 300 ? '' : text(json, 'message') || plain(status, body),
    retryAfterMs: asked > 0 ? asked : secondsMs(field(json, 'details', 'retryAfterSeconds')),
  };
}

/** An answer of status 0: there was none. */
export function noAnswer(error: unknown): KubeAnswer {
  return { status: 0, body: undefined, message: sentenceOf(error), retryAfterMs: 0 };
}

/** An error with its cause: `fetch failed` alone helps nobody. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return sentenceOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`;
}

function plain(status: number, body: string): string {
  const line = body.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return line === '' ? `status ${status}` : `status ${status}: ${line}`;
}

/** RFC 9110 10.2.3: seconds, or a date. */
function askedMs(retryAfter: string, nowMs: number): number {
  if (retryAfter === '') return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}

function secondsMs(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}
