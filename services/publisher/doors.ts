/** Joins the publisher to the Kubernetes API: carries out acts and says what came of them. */
import type { Clock, Cluster, KubeAnswer, KubeRequest } from '../../core/door.ts';
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
import { resultOf, waitMs } from './result.ts';
import { isKubeObject, routingCame } from './routing-came.ts';
import { judge } from './routing-failure.ts';
import { foreignManager } from './writers.ts';

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
    if (act.kind === 'Look') {
      const { status, body } = await cluster.request(act.request, signal);
      const stored = status === 200 && isKubeObject(body) ? { stored: body } : {};
      return { kind: 'Looked', act, status, ...stored, atMs: clock.nowMs() };
    }
    const startedMs = clock.nowMs();
    if (act.kind === 'Routing') {
      const { method, answer, asked } = await route(cluster, act, signal);
      const atMs = clock.nowMs();
      const backOffMs = waitMs(answer, act.failed, jitter());
      const came = routingCame(act, method, answer, asked, backOffMs);
      return { kind: 'Done', act, ...came, atMs, tookMs: atMs - startedMs };
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

/** Reports at once, and without a wait: the room knows when to try again. */
async function route(
  cluster: Cluster,
  { requests, asks }: RoutingAct,
  signal: AbortSignal,
): Promise<{
  readonly method: KubeRequest['method'];
  readonly answer: KubeAnswer;
  readonly asked: KubeAnswer | undefined;
}> {
  const asked = asks === undefined ? undefined : await cluster.request(asks, signal);
  let method: KubeRequest['method'] = 'GET';
  let answer: KubeAnswer = { status: 0, body: undefined, message: '', retryAfterMs: 0 };
  for (const request of requests) {
    ({ method } = request);
    answer = await cluster.request(request, signal);
    if (judge(answer, method).result !== 'done') break;
  }
  return { method, answer, asked };
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
