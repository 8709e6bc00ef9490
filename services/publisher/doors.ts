/** Joins the publisher to the Kubernetes API: carries out acts and says what came of them. */
import type { Clock, Cluster, KubeAnswer } from '../../core/door.ts';
import { type Act, EGRESSIPS, type Input, type Result } from './input.ts';

/** The wait after the first failed attempt; it doubles up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

export function publisherSenses(
  cluster: Cluster,
): (signal: AbortSignal) => readonly AsyncIterable<readonly Input[]>[] {
  return (signal) => [shape(cluster, signal)];
}

async function* shape(cluster: Cluster, signal: AbortSignal): AsyncGenerator<readonly Input[]> {
  const statusSubresource = await cluster.hasStatusSubresource(EGRESSIPS, signal);
  yield [{ kind: 'Shape', statusSubresource }];
  await new Promise((done) => signal.addEventListener('abort', done));
}

/** `jitter` = a number from 0 to 1, so that many objects do not come back at the same moment. */
export function publisherPerform(
  cluster: Cluster,
  clock: Clock,
  jitter: () => number = () => 1,
): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async (act, signal) => {
    for (const request of act.requests) {
      const answer = await cluster.request(request, signal);
      const result = resultOf(answer, act);
      if (result === 'done') continue;
      if (result !== 'refused') await clock.sleep(waitMs(answer, act.failed, jitter()), signal);
      return { kind: 'Done', act, result, atMs: clock.nowMs(), message: answer.message };
    }
    return { kind: 'Done', act, result: 'done', atMs: clock.nowMs(), message: '' };
  };
}

/**
 * NotFound is success, and a uid that does not match means that the object was replaced: the watcher
 * will tell. Until it does, the wait keeps us from asking again and again.
 */
function resultOf({ status, message }: KubeAnswer, act: Act): Result {
  if (status >= 200 && status < 300) return 'done';
  if (act.kind === 'Tell' && status === 409) return 'done';
  if (act.kind === 'Tell' && (status === 403 || status === 404)) return 'failed';
  if (status === 404) return 'gone';
  if (status === 422) return /uid/.test(message) || /test/.test(message) ? 'gone' : 'refused';
  if (status === 400 || status === 413) return 'refused';
  return 'failed';
}

function waitMs({ retryAfterMs }: KubeAnswer, failed: number, jitter: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failed, 10));
  return Math.max(retryAfterMs, longest * (0.5 + jitter / 2));
}
