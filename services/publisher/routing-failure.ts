/** Why a write for BGP routing failed: judged by its status code, told in stable words. */
import type { Failing } from '../../core/bgp-outcome.ts';
import type { KubeAnswer, KubeRequest } from '../../core/door.ts';
import type { Result } from './input.ts';

export interface Judged {
  readonly result: Result;
  readonly failing: Failing;
}

const judged = (result: Result, failing: Failing = ''): Judged => ({ result, failing });

/**
 * `gone` = the object is not the one that was meant; `stale` = somebody was faster. Both will be
 * seen as facts. The status code counts, not the text, except for a webhook that is down.
 */
export function judge({ status, message }: KubeAnswer, method: KubeRequest['method']): Judged {
  if (status >= 200 && status < 300) return judged('done');
  if (status === 404) return method === 'POST' ? judged('failed', 'unserved') : judged('gone');
  if (status === 409) return judged('stale');
  if (status === 403 || /ValidatingAdmissionPolicy/.test(message))
    return judged('refused', 'denied');
  if (status === 422 && isMissed(message)) return judged('gone');
  if (status === 400 || status === 413 || status === 422) return judged('refused', 'invalid');
  const webhook = status === 0 || status >= 500 ? /webhook/i.test(message) : false;
  return judged('failed', webhook ? 'webhook' : 'unreachable');
}

/**
 * The patch could not be applied: a `test` did not hold, or what it removes is gone already; or a
 * merge patch names another uid. What a schema refuses is named in full instead.
 */
const isMissed = (message: string): boolean =>
  /^the server rejected our request due to an error|metadata\.uid: Invalid value/.test(message);

/** A message may be as long as a schema's complaints about fifty neighbours. */
const LONGEST = 1_000;

/**
 * The server's words without what differs each time: ids of requests, times, and ports of its own.
 */
export function stableWords(message: string): string {
  const words = message
    .replace(/,?\s*\(?\b(?:request|audit|trace)[- _]?id\)?[:=]?\s*"?[\w-]+"?\)?/gi, '')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g, '(time)')
    .replace(/\b(?:\d{1,3}\.){3}\d{1,3}:\d+->/g, '')
    .replace(/\[[0-9a-f:]+\]:\d+->/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= LONGEST ? words : `${words.slice(0, LONGEST - 1)}…`;
}
