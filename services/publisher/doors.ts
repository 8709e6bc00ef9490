/** Joins the publisher to the Kubernetes API: carries out acts and says what came of them. */
import type { Clock, Cluster, KubeAnswer } from '../../core/door.ts';
import { property, textOf } from '../../core/json.ts';
import {
  type Act,
  type Done,
  EGRESSIPS,
  type Input,
  type Result,
  type RoutingAct,
} from './input.ts';
import { holds, lookRequest, showsItems } from './look.ts';
import { carryOutRouting } from './routing-doors.ts';
import { foreignManager } from './writers.ts';

/** The wait after the first failed attempt; it doubles up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;

export function publisherSenses(
  cluster: Cluster,
  clock: Pick<Clock, 'nowMs'>,
): (signal: AbortSignal) => readonly AsyncIterable<readonly Input[]>[] {
  return (signal) => [shape(cluster, clock, signal)];
}

async function* shape(
  cluster: Cluster,
  clock: Pick<Clock, 'nowMs'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Input[]> {
  const statusSubresource = await cluster.hasStatusSubresource(EGRESSIPS, signal);
  yield [{ kind: 'Shape', statusSubresource, atMs: clock.nowMs() }];
  await new Promise((done) => signal.addEventListener('abort', done));
}

type Doing = Exclude<Done['act'], RoutingAct>;

/** What came of the requests of an act. */
interface Came {
  readonly result: Result;
  readonly answer: KubeAnswer;
  readonly statusSubresource?: boolean;
  readonly stranger?: string;
}

/** `jitter` = a number from 0 to 1, so that many objects do not come back at the same moment. */
export function publisherPerform(
  cluster: Cluster,
  clock: Clock,
  jitter: () => number = () => 1,
): (act: Act, signal: AbortSignal) => Promise<Input> {
  return async (act, signal) => {
    if (act.kind === 'Wait') {
      await clock.sleep(act.ms, signal);
      return { kind: 'Woke', atMs: clock.nowMs(), until: act.until };
    }
    const startedMs = clock.nowMs();
    if (act.kind === 'Routing') {
      const backOff = (answer: KubeAnswer): number => waitMs(answer, act.failed, jitter());
      const came = await carryOutRouting(cluster, act, backOff, signal);
      return { kind: 'Done', act, ...came, atMs: clock.nowMs(), tookMs: clock.nowMs() - startedMs };
    }
    const { answer, ...came } = await carryOut(cluster, act, signal);
    const tookMs = clock.nowMs() - startedMs;
    if (came.result !== 'done' && came.result !== 'refused')
      await clock.sleep(waitMs(answer, act.failed, jitter()), signal);
    const version = textOf(property(property(answer.body, 'metadata'), 'resourceVersion'));
    const { message } = answer;
    return { kind: 'Done', act, ...came, atMs: clock.nowMs(), tookMs, message, version };
  };
}

async function carryOut(cluster: Cluster, act: Doing, signal: AbortSignal): Promise<Came> {
  if (act.kind !== 'Write' || !act.asks) return await attempt(cluster, act, signal);
  const stranger = await strangerOn(cluster, act.name, signal);
  return { ...(await attempt(cluster, act, signal)), stranger };
}

async function attempt(cluster: Cluster, act: Doing, signal: AbortSignal): Promise<Came> {
  for (const look of act.kind === 'Tell' ? [] : act.looks) {
    const answer = await cluster.request(lookRequest(look), signal);
    const held = holds(look, answer);
    if (held !== true) return { result: held === false ? 'stale' : 'failed', answer };
  }
  let answer: KubeAnswer = { status: 0, body: undefined, message: '', retryAfterMs: 0 };
  for (const request of act.requests) {
    answer = await cluster.request(request, signal);
    const result = resultOf(answer, act);
    if (result !== 'done') return await doubted(cluster, act, result, answer, signal);
  }
  if (act.kind !== 'Write' || act.items === undefined || showsItems(answer.body, act.items))
    return { result: 'done', answer };
  const message = 'the server took the write, but the status is not as it was written';
  return await doubted(cluster, act, 'failed', { ...answer, message }, signal);
}

/**
 * A status that was written past its place (the CRD got or lost its subresource) is answered with
 * NotFound, or accepted and dropped: then the shape is asked for again.
 */
async function doubted(
  cluster: Cluster,
  act: Doing,
  result: Result,
  answer: KubeAnswer,
  signal: AbortSignal,
): Promise<Came> {
  if (act.kind !== 'Write' || act.items === undefined) return { result, answer };
  const past = answer.status === (act.statusSubresource ? 404 : 200);
  if (!past && answer.status !== 200) return { result, answer };
  const statusSubresource = await cluster.hasStatusSubresource(EGRESSIPS, signal);
  const changed = statusSubresource !== act.statusSubresource;
  return { result: changed ? 'shape' : result, answer, statusSubresource };
}

/** Who wrote last what is ours on the EgressIP; '' where that cannot be known. */
async function strangerOn(cluster: Cluster, name: string, signal: AbortSignal): Promise<string> {
  const request = lookRequest({ kind: 'Absent', name, address: '' });
  const { body } = await cluster.request(request, signal);
  return foreignManager(body);
}

/**
 * NotFound is success, and a uid that does not match means that the object was replaced: the
 * watcher will tell. Until it does, the wait keeps us from asking again and again.
 */
function resultOf({ status, message }: KubeAnswer, act: Doing): Result {
  if (status >= 200 && status < 300) return 'done';
  if (act.kind === 'Tell') return tellResultOf(status);
  if (status === 404) return 'gone';
  if (status === 409) return act.kind === 'Claim' ? 'stale' : 'failed';
  if (/ValidatingAdmissionPolicy|denied the request/.test(message)) return 'refused';
  if (status === 422) return /uid/.test(message) || /test/.test(message) ? 'gone' : 'refused';
  if (status === 400 || status === 413) return 'refused';
  return 'failed';
}

/** AlreadyExists: it was recorded before a crash. */
function tellResultOf(status: number): Result {
  if (status === 409) return 'done';
  if (status === 404) return 'gone';
  return status === 422 || status === 400 || status === 413 ? 'refused' : 'failed';
}

function waitMs({ retryAfterMs }: KubeAnswer, failed: number, jitter: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failed, 10));
  return Math.max(retryAfterMs, longest * (0.5 + jitter / 2));
}
