/** What an answer of the API server means for an act, and how long until the next attempt. */
import type { KubeAnswer } from '../../core/door.ts';
import type { Done, Result, RoutingAct } from './input.ts';

/** The wait after the first failed attempt; it doubles up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

/**
 * NotFound is success, and a uid that does not match means that the object was replaced: the
 * watcher will tell. Until it does, the wait keeps us from asking again and again.
 */
export function resultOf(
  { status, message }: KubeAnswer,
  act: Exclude<Done['act'], RoutingAct>,
): Result {
  if (status >= 200 && status < 300) return 'done';
  if (act.kind === 'Tell') return tellResultOf(status);
  if (status === 404) return 'gone';
  if (status === 409) return act.kind === 'Claim' ? 'stale' : 'failed';
  if (/ValidatingAdmissionPolicy|denied the request/.test(message)) return 'refused';
  if (status === 422) return /uid|test|error in our request/.test(message) ? 'gone' : 'refused';
  if (status === 400 || status === 413) return 'refused';
  return 'failed';
}

/** AlreadyExists: it was recorded before a crash. */
function tellResultOf(status: number): Result {
  if (status === 409) return 'done';
  if (status === 404) return 'gone';
  return status === 422 || status === 400 || status === 413 ? 'refused' : 'failed';
}

/** How long until the next attempt; `jitter` = a number from 0 to 1. */
export function waitMs({ retryAfterMs }: KubeAnswer, failed: number, jitter: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failed, 10));
  return Math.max(retryAfterMs, longest * (0.5 + jitter / 2));
}
